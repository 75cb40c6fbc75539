/**
 * Compares OCR engines on pages whose text is known:
 * `node bench/ocr-engines.ts TRUTH [--engine tesseract]… [--dpi 200] [--noise 0] [--skew 0] [--most 20] [--seed 1]`, where
 * TRUTH is a file of truths (its PDFs' first pages are drawn as scans) and an engine is `tesseract` or the path of a module
 * (docs/ocr.md). Tells the share of words read right, the same for words with digits, and processor time a page.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OcrEngine } from '../src/extract/ocr/engine.ts'
import { loadEngine, OWN_ENGINE } from '../src/extract/ocr/engines/load-engine.ts'
import type { GreyImage } from '../src/extract/ocr/image/grey.ts'
import { readPdf } from '../src/extract/pdf/read-pdf.ts'
import { loadPdfium, openPdf } from '../src/extract/render/pdfium.ts'
import { scanPage } from './documents/scan-page.ts'
import { readTruth } from './documents/truth.ts'
import { randomFrom } from './permits.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', multiple: true, default: [OWN_ENGINE] },
    dpi: { type: 'string', default: '200' },
    noise: { type: 'string', default: '0' },
    skew: { type: 'string', default: '0' },
    most: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' }
  }
})
const [file] = positionals
if (file === undefined) throw new Error('Name a file of truths.')

interface Known {
  readonly words: readonly string[]
  readonly image: GreyImage
}

const coreOf = (text: string): string => text.normalize('NFKC').replace(/^[^\p{L}\p{N}$]+|[^\p{L}\p{N}%]+$/gu, '')
const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap(text => text.split(/\s+/).map(coreOf)).filter(word => word.length > 1)

/** The first pages of the documents that have text there, as scans. */
async function knownPages(path: string): Promise<Known[]> {
  const { root, entries } = readTruth(path)
  const random = randomFrom(Number(args.seed))
  const pdfium = await loadPdfium()
  const known: Known[] = []
  for (const entry of entries.filter(one => one.path.endsWith('.pdf'))) {
    if (known.length >= Number(args.most)) break
    const bytes = readFileSync(join(root, entry.path))
    const answer = await readPdf(Buffer.from(bytes), { pages: 2000, characters: 8_000_000 })
    const page = answer.ok ? answer.document.pages[0] : undefined
    const words = wordsOf(page?.lines.map(line => line.text) ?? [])
    const pdf = openPdf(pdfium, bytes)
    if (words.length < 50 || !page?.hasUsableText || page.imageShare > 0.5 || typeof pdf === 'string') continue
    const scan = { dpi: Number(args.dpi), noise: Number(args.noise), skew: Number(args.skew), turn: 0, random }
    known.push({ words, image: scanPage(pdf, 1, scan) })
    pdf.close()
  }
  return known
}

/** How many of these words were read, each as often as it stands there. */
function found(words: readonly string[], read: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of read) left.set(word, (left.get(word) ?? 0) + 1)
  return words.filter(word => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  }).length
}

async function score(name: string, engine: OcrEngine, pages: readonly Known[]): Promise<void> {
  const sums = { words: 0, right: 0, figures: 0, rightFigures: 0, seconds: 0 }
  const hasDigit = (word: string): boolean => /\d/.test(word)
  for (const { words, image } of pages) {
    const begun = process.cpuUsage()
    const read = wordsOf((await engine.read(image)).map(word => word.text))
    const { user, system } = process.cpuUsage(begun)
    sums.seconds += (user + system) / 1e6
    sums.words += words.length
    sums.right += found(words, read)
    sums.figures += words.filter(hasDigit).length
    sums.rightFigures += found(words.filter(hasDigit), read.filter(hasDigit))
  }
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`
  console.log(
    `${name}: ${pages.length} pages, words right ${share(sums.right, sums.words)} of ${sums.words}, ` +
      `with digits ${share(sums.rightFigures, sums.figures)} of ${sums.figures}, ` +
      `${(sums.seconds / pages.length).toFixed(2)} s a page, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`
  )
}

const pages = await knownPages(file)
for (const named of args.engine) {
  const { name, createEngine } = await loadEngine(named === OWN_ENGINE ? named : resolve(named))
  await score(name, await createEngine(), pages)
}
