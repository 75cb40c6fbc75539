import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ChildAnswer, LimitDetail } from '../answer.ts'
import { frameOf, readFrames } from '../frames.ts'
import { loadPdfjs } from '../pdf/pdfjs.ts'
import { ReadLimit } from '../read-limit.ts'
import { encodeAnswer } from '../wire.ts'
import { readDocument } from './read-document.ts'

const requestSchema = z.strictObject({
  path: z.string(),
  mediaType: z.string(),
  pages: z.int().positive(),
  characters: z.int().positive()
})

async function answerTo(frame: Buffer): Promise<ChildAnswer> {
  const request = requestSchema.parse(JSON.parse(frame.toString('utf8')))
  const { path, mediaType, pages, characters } = request
  try {
    return await readDocument(readFileSync(path), mediaType, { pages, characters })
  } catch (error) {
    return { ok: false, reason: 'EXTRACTION_FAILED', detail: detailOf(error) }
  }
}

/** An allocation that fails shows as a RangeError; anything else unexpected is a defect met by this document. */
function detailOf(error: unknown): LimitDetail {
  if (error instanceof ReadLimit) return error.detail
  return error instanceof RangeError ? 'limit_memory' : 'crashed'
}

// Readers of documents talk to the console; the standard output belongs to the answers.
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => {}
// A promise that a reader forgot is no reason to lose the document being read.
process.on('unhandledRejection', () => {})

await loadPdfjs()
process.stdout.write(frameOf(Buffer.from('{"ready":true}')))
for await (const frame of readFrames(process.stdin, 1_000_000)) {
  const body = encodeAnswer(await answerTo(frame))
  await new Promise<void>(resolve => process.stdout.write(frameOf(Buffer.from(body)), () => resolve()))
}
