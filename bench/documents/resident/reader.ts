/** Reads the PDF files whose paths come by message, as a resident extraction process does; answers what each one cost. */
import { readFileSync } from 'node:fs'
import { readDocument } from '../../../src/extract/child/read-document.ts'
import { encodeAnswer } from '../../../src/extract/wire.ts'

const LIMITS = { pages: 2000, characters: 20_000_000 }

export interface Cost {
  /** Processor seconds. */
  readonly seconds: number
  /** None when no text was found. */
  readonly pages: number
}

async function read(path: string): Promise<Cost> {
  const bytes = readFileSync(path)
  const before = process.cpuUsage()
  const answer = await readDocument(bytes, 'application/pdf', LIMITS).catch(() => null)
  if (answer) encodeAnswer(answer)
  const { user, system } = process.cpuUsage(before)
  const hasText = answer?.ok === true && answer.document.pages.some(page => page.hasUsableText)
  return { seconds: (user + system) / 1e6, pages: hasText ? answer.document.pageCount : 0 }
}

process.on('message', (path: string) => {
  void read(path).then(cost => process.send?.(cost))
})
