import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { z } from 'zod'
import type { ChildAnswer } from '../answer.ts'
import { serve } from '../child/serve.ts'
import { stepFrame } from '../frames.ts'
import { loadPdfjs } from '../pdf/pdfjs.ts'
import { failureOfError } from '../read-limit.ts'
import { loadPdfium } from '../render/pdfium.ts'
import { encodeAnswer } from '../wire.ts'
import type { OcrEngine } from './engine.ts'
import { loadEngine } from './engines/load-engine.ts'
import { recogniseDocument } from './recognise-document.ts'

const requestSchema = z.strictObject({
  path: z.string(),
  mediaType: z.string(),
  engine: z.string(),
  pages: z.int().positive(),
  characters: z.int().positive(),
  recognisedPages: z.int().positive(),
  /** Pages left as they are: reading them has ended a process before. */
  skipped: z.array(z.int().positive()),
  /** How long after its start the last page may be begun. */
  seconds: z.number().positive()
})

/** The scheduler's value for work that others come before, as of `nice`: a third of their share where all are busy. */
const BEHIND_OTHERS = 5

let engine: Promise<OcrEngine> | undefined

async function answerTo(frame: Buffer): Promise<ChildAnswer> {
  const { path, mediaType, seconds, skipped, ...request } = requestSchema.parse(JSON.parse(frame.toString('utf8')))
  const now = (): number => performance.now()
  const onPage = (page: number): void => void process.stdout.write(stepFrame(page))
  const limits = { ...request, skipped: new Set(skipped), onPage, now, deadline: now() + seconds * 1000 }
  try {
    engine ??= loadEngine(request.engine).then(module => module.createEngine())
    return await recogniseDocument(await engine, { bytes: readFileSync(path), mediaType }, limits)
  } catch (error) {
    return failureOfError(error)
  }
}

// Scans can wait; documents with text, rows and the API cannot.
setPriority(BEHIND_OTHERS)
await Promise.all([loadPdfjs(), loadPdfium()])
await serve(async frame => Buffer.from(encodeAnswer(await answerTo(frame))))
