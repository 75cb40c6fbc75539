/**
 * Makes scans of documents with a truth, so that recognition can be scored against what is known to stand in them:
 * `node bench/make-scans.ts TRUTH --out FOLDER [--dpi 200] [--noise 0] [--skew 0] [--turn 0] [--pages 3] [--seed 1]`.
 * Pages are drawn, turned and given grain; the folder then holds PDFs of pictures and a `truth.jsonl` for
 * `bench/score-documents.ts`. Documents of more pages are left out, and those that are no PDF.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateSync } from 'node:zlib'
import { writePdf } from '../src/extract/image/write-pdf.ts'
import { loadPdfium, type OpenPdf, openPdf } from '../src/extract/render/pdfium.ts'
import { scanPage } from './documents/scan-page.ts'
import { type Entry, readTruth } from './documents/truth.ts'
import { randomFrom } from './permits.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: '' },
    dpi: { type: 'string', default: '200' },
    noise: { type: 'string', default: '0' },
    skew: { type: 'string', default: '0' },
    turn: { type: 'string', default: '0' },
    pages: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' }
  }
})
const [dpi, noise, skew, turn, mostPages, seed] = [
  args.dpi,
  args.noise,
  args.skew,
  args.turn,
  args.pages,
  args.seed
].map(Number) as [number, number, number, number, number, number]
const random = randomFrom(seed)
const [file] = positionals
if (file === undefined || args.out === '') throw new Error('Name a file of truths, and --out.')

function scanOf(pdf: OpenPdf): Buffer {
  const pages = Array.from({ length: pdf.pageCount }, (_, index) =>
    scanPage(pdf, index + 1, { dpi, noise, skew, turn, random })
  ).map(({ width, height, data }) => {
    const entries = '/Filter /FlateDecode /ColorSpace /DeviceGray /BitsPerComponent 8'
    const part = { x: 0, y: 0, width, height, entries, data: deflateSync(data, { level: 1 }) }
    return { width, height, resolution: [dpi, dpi] as const, rotate: 0, parts: [part] }
  })
  return writePdf(pages)
}

mkdirSync(args.out, { recursive: true })
const { root, entries } = readTruth(file)
const pdfium = await loadPdfium()
const kept: Entry[] = []
for (const entry of entries.filter(({ path }) => path.endsWith('.pdf'))) {
  const bytes = readFileSync(join(root, entry.path))
  const pdf = openPdf(pdfium, bytes)
  if (typeof pdf === 'string') continue
  try {
    if (pdf.pageCount > mostPages) continue
    const path = `${kept.length}-${basename(entry.path)}`
    writeFileSync(join(args.out, path), scanOf(pdf))
    kept.push({ ...entry, path })
  } finally {
    pdf.close()
  }
}
writeFileSync(join(args.out, 'truth.jsonl'), kept.map(entry => `${JSON.stringify(entry)}\n`).join(''))
console.log(`${kept.length} documents, seed ${seed}`)
