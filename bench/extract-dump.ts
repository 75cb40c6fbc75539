/** Prints the lines of a document with their boxes: `node bench/extract-dump.ts FILE [MEDIA-TYPE]`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { createExtractor } from '../src/extract/extractor.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.md': 'text/markdown',
  '.txt': 'text/plain'
}

const [, , file = '', mediaType = TYPES[extname(file).toLowerCase()] ?? 'application/pdf'] = process.argv
const tempDir = mkdtempSync(join(tmpdir(), 'docket-dump-'))
const extractor = createExtractor({ memoryMb: 512, seconds: 60, pages: 2000, slots: 1, tempDir })
const outcome = await extractor.extract(resolve(file), mediaType)
await extractor.close()
rmSync(tempDir, { recursive: true, force: true })

if (!outcome.ok) console.log(`${outcome.reason} ${outcome.detail ?? ''}`)
else {
  const { document } = outcome
  console.log(`${document.kind}, ${document.pageCount} pages, flags: ${document.flags.join(' ') || 'none'}`)
  for (const page of document.pages) {
    const size = `${Math.round(page.width)} × ${Math.round(page.height)}`
    console.log(`--- page ${page.number}, ${size}, usable text: ${page.hasUsableText}, pictures: ${page.imageShare}`)
    for (const line of page.lines) {
      const box = line.box.map(edge => edge.toFixed(3)).join(' ')
      const marks = [line.words[0]?.source, line.words[0]?.bold ? 'bold' : ''].filter(Boolean).join(' ')
      console.log(`[${box}] ${marks} ${line.words[0]?.size} | ${line.words.map(word => word.text).join('·')}`)
    }
  }
  for (const { index, text, cell, bold, heading } of document.paragraphs) {
    const place = cell ? ` cell ${cell.table}:${cell.row},${cell.column} ${cell.rowSpan}x${cell.columnSpan}` : ''
    console.log(`${index}${place}${bold ? ' bold' : ''}${heading ? ` h${heading}` : ''} | ${text}`)
  }
}
