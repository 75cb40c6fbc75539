import type { Readable } from 'node:stream'

const HEADER = 4

/** A message behind its length: four bytes, big endian. */
export function frameOf(body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(body.length)
  return Buffer.concat([header, body])
}

/** Reads messages off a stream. Throws a RangeError as soon as one says it is longer than `maxBytes`. */
export async function* readFrames(stream: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let held = 0
  let wanted: number | null = null
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part)
    held += part.length
    while (held >= (wanted ?? HEADER)) {
      if (held > (parts[0]?.length ?? 0)) parts = [Buffer.concat(parts)]
      const all = parts[0] as Buffer
      if (wanted === null) {
        wanted = all.readUInt32BE()
        if (wanted > maxBytes) throw new RangeError('a message is longer than allowed')
        parts = [all.subarray(HEADER)]
        held -= HEADER
      } else {
        yield all.subarray(0, wanted)
        parts = [all.subarray(wanted)]
        held -= wanted
        wanted = null
      }
    }
  }
}
