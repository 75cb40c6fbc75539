import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ChildAnswer } from '../answer.ts'
import { loadPdfjs } from '../pdf/pdfjs.ts'
import { failureOfError } from '../read-limit.ts'
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
    return failureOfError(error)
  }
}

await loadPdfjs()
await serve(async request => Buffer.from(encodeAnswer(await answerTo(request))))
