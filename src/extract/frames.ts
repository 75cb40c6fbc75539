const HEADER = 4

/** A message behind its length: four bytes, big endian. */
export function frameOf(body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(body.length)
  return Buffer.concat([header, body])
}

/** Reads messages off a stream. Throws a RangeError as soon as one says it is longer than `maxBytes`. */
export async function* readFrames(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let held = 0
  let wanted = HEADER
  let inBody = false
  for await (const part of stream) {
    parts.push(part)
    held += part.length
    while (held >= wanted) {
      const all: Buffer = Buffer.concat(parts)
      const taken = all.subarray(0, wanted)
      parts = [all.subarray(wanted)]
      held -= wanted
      if (inBody) yield taken
      wanted = inBody ? HEADER : taken.readUInt32BE()
      inBody = !inBody
      if (wanted > maxBytes) throw new RangeError('a message is longer than allowed')
    }
  }
}

const STEP = /^\{"step":(\d{1,7})\}$/
const LONGEST_STEP = 20

/** A message that says which step of the work is begun. */
export const stepFrame = (step: number): Buffer => frameOf(Buffer.from(JSON.stringify({ step })))

/** The step that a message tells of; undefined when it is an answer. */
export function readStep(body: Buffer): number | undefined {
  if (body.length > LONGEST_STEP) return undefined
  const step = STEP.exec(body.toString('latin1'))?.[1]
  return step === undefined ? undefined : Number(step)
}
