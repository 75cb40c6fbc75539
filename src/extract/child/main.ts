import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ChildAnswer, LimitDetail } from '../answer.ts'
import { loadPdfjs } from '../pdf/pdfjs.ts'
import { ReadLimit } from '../read-limit.ts'
import { encodeAnswer } from '../wire.ts'
import { readDocument } from './read-document.ts'
import { serve } from './serve.ts'

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

await loadPdfjs()
await serve(async request => Buffer.from(encodeAnswer(await answerTo(request))))
