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
