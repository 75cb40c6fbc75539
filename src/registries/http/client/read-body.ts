import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'

/** Counts what passes and keeps it; more than `most` bytes are a fault, told before they are kept. */
function createCollector(most: number) {
  const parts: Buffer[] = []
  let size = 0
  return {
    bytes: (): Buffer => Buffer.concat(parts, size),
    async take(source: AsyncIterable<Buffer>): Promise<void> {
      for await (const part of source) {
        size += part.length
        if (size > most) throw new RegistryFault('transient', 'too_large')
        parts.push(part)
      }
    }
  }
}

/** Ends the stream when more than `most` bytes came. */
async function* counted(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of source) {
    size += part.length
    if (size > most) throw new RegistryFault('transient', 'too_large')
    yield part
  }
}

/**
 * The bytes of an answer, unpacked when it is packed with gzip, at most `most` of them packed and as many unpacked. Throws
 * `RegistryFault` when there are more or the packing is another, and what the streams throw.
 */
export async function readBytes(response: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > most) throw new RegistryFault('transient', 'too_large')
  const collector = createCollector(most)
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    await pipeline(
      response,
      source => counted(source as AsyncIterable<Buffer>, most),
      createGunzip(),
      unpacked => collector.take(unpacked as AsyncIterable<Buffer>)
    )
  } else if (encoding === 'identity' || encoding === '') {
    await pipeline(response, source => collector.take(source as AsyncIterable<Buffer>))
  } else throw new RegistryFault('transient', 'bad_encoding')
  return collector.bytes()
}

/** ArcGIS servers send JSON as plain text. */
const JSON_TYPE = /^(?:application\/(?:[\w.-]{1,60}\+)?json|text\/(?:json|plain))(?=$|[\s;])/i

/** The JSON of an answer; undefined when it says that it is something else, or is. */
export function readJson(bytes: Buffer, contentType: string | undefined): Json | undefined {
  if (contentType === undefined || !JSON_TYPE.test(contentType)) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
  } catch {
    return undefined
  }
}
