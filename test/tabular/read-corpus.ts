/**
 * Reads a folder of real files with the tabular reader alone and compares: `encoding/<any>_<language>_<charset>.<any>` with
 * the charset named, `csv/spectrum_*.csv` with `csv/expected_spectrum_*.json`, and lists the rows of every delimited file in
 * `csv/` and `permit/`. Usage: node test/tabular/read-corpus.ts <folder>. Ends with 1 when a comparison fails.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RawRow } from '../../src/model/rows.ts'
import { detectFormat } from '../../src/tabular/detect-format.ts'
import type { TabularFormat } from '../../src/tabular/format.ts'
import { detectEncoding } from '../../src/tabular/text/detect-encoding.ts'
import { splitAll } from './read-all.ts'

const write = (line: string): unknown => process.stdout.write(`${line}\n`)

/** The encoding that a file is named after: `fr_utf-16.be` is UTF-16BE. */
function namedEncoding(file: string): string {
  const [, order = ''] = /\.(le|be)$/.exec(file) ?? []
  return `${file.slice(0, file.lastIndexOf('.')).split('_').slice(2).join('_')}${order}`
}

function encodings(folder: string): boolean {
  const files = readdirSync(folder)
  const wrong = files.filter(file => {
    const { encoding, evidence } = detectEncoding(readFileSync(join(folder, file)))
    const isRight = encoding === namedEncoding(file)
    write(`${isRight ? 'ok  ' : 'not '} encoding ${file}: ${encoding}, ${evidence}`)
    return !isRight
  })
  write(`${files.length - wrong.length} of ${files.length} encodings named`)
  return wrong.length === 0
}

type Read = { readonly format: TabularFormat; readonly rows: readonly RawRow[] } | { readonly fault: string }

async function read(path: string): Promise<Read> {
  const bytes = readFileSync(path)
  const decision = detectFormat(bytes, { whole: true })
  if (!decision.ok) return { fault: `${decision.fault.code} ${decision.fault.detail ?? ''}` }
  return { format: decision.format, rows: (await splitAll(bytes, decision.format)).rows }
}

const objectOf = (row: RawRow): object =>
  Object.fromEntries(row.names.map((name, index) => [name, row.values[index] ?? row.fault?.code]))

async function spectrum(folder: string): Promise<boolean> {
  let isRight = true
  for (const file of readdirSync(folder).filter(name => /^spectrum_.*\.csv$/.test(name))) {
    const expected = readFileSync(join(folder, `expected_${file.replace(/csv$/, 'json')}`), 'utf8')
    const found = await read(join(folder, file))
    const rows = 'fault' in found ? found.fault : found.rows.map(objectOf)
    const isSame = JSON.stringify(rows) === JSON.stringify(JSON.parse(expected))
    write(`${isSame ? 'ok  ' : 'not '} ${file}${isSame ? '' : `: ${JSON.stringify(rows)} for ${expected}`}`)
    isRight &&= isSame
  }
  return isRight
}

function tallyOf(rows: readonly RawRow[]): string {
  const tally = new Map<string, number>()
  for (const { fault } of rows) if (fault) tally.set(fault.code, (tally.get(fault.code) ?? 0) + 1)
  return [...tally].map(([code, count]) => `, ${count} ${code}`).join('')
}

async function list(folder: string): Promise<void> {
  for (const file of readdirSync(folder).filter(name => /\.[ct]sv$/.test(name))) {
    const found = await read(join(folder, file))
    if ('fault' in found) write(`     ${file}: ${found.fault}`)
    else {
      const dialect = found.format.kind === 'delimited' ? JSON.stringify(found.format.dialect) : found.format.kind
      write(`     ${file}: ${found.rows.length} rows${tallyOf(found.rows)}; ${found.format.encoding} ${dialect}`)
    }
  }
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node test/tabular/read-corpus.ts <folder>')
const results = [encodings(join(folder, 'encoding')), await spectrum(join(folder, 'csv'))]
await list(join(folder, 'csv'))
await list(join(folder, 'permit'))
process.exitCode = results.every(Boolean) ? 0 : 1
