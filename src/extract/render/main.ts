import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ExtractFailure } from '../answer.ts'
import { serve } from '../child/serve.ts'
import { loadPdfjs } from '../pdf/pdfjs.ts'
import { failureOfError } from '../read-limit.ts'
import { encodeAnswer } from '../wire.ts'
import { drawPage } from './draw-page.ts'
import { type DrawnPage, encodeDrawn } from './drawn-page.ts'
import { PAGE_SIZES, type PageSize } from './page-size.ts'
import { loadPdfium } from './pdfium.ts'

const requestSchema = z.strictObject({
  path: z.string(),
  mediaType: z.string(),
  page: z.int().positive(),
  size: z.enum(Object.keys(PAGE_SIZES) as [PageSize, ...PageSize[]]),
  pages: z.int().positive(),
  characters: z.int().positive()
})

async function answerTo(frame: Buffer): Promise<DrawnPage | ExtractFailure> {
  const { path, ...request } = requestSchema.parse(JSON.parse(frame.toString('utf8')))
  try {
    return await drawPage(readFileSync(path), request)
  } catch (error) {
    return failureOfError(error)
  }
}

await Promise.all([loadPdfjs(), loadPdfium()])
await serve(async frame => {
  const answer = await answerTo(frame)
  return answer.ok ? encodeDrawn(answer) : Buffer.from(encodeAnswer(answer))
})
