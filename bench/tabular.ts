/**
 * Reads generated delimited files with this project's reader, with csv-parse and, when `python3` is there, with the csv
 * module of CPython (written in C), one after the other in each round, and prints their rates by CPU time and the ratios: first plain reading, then permits that are read,
 * mapped and judged, beside the bare reading of csv.reader. Run: `node bench/tabular.ts [megabytes]`.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, createReadStream, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse'
import type { RawRow } from '../src/model/rows.ts'
import { usualColumns } from '../src/pipeline/split/file-format.ts'
import { judge } from '../src/profiles/judge/judge.ts'
import { judgePlain } from '../src/profiles/judge/judge-plain.ts'
import { permit } from '../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../src/profiles/tabular/column-evidence.ts'
import { plainRows } from '../src/profiles/tabular/plain/plain-rows.ts'
import { rowMapper } from '../src/profiles/tabular/row-mapper.ts'
import type { ColumnEvidence } from '../src/profiles/tabular/source-options.ts'
import { detectFormat } from '../src/tabular/detect-format.ts'
import type { TabularFormat } from '../src/tabular/format.ts'
import { firstPosition, readRows, splitFile } from '../src/tabular/split-file.ts'
import { permitRows, randomFrom } from './permits.ts'

const ROUNDS = 3
const COLUMNS = 20
const PIECE_CHARACTERS = 1e6
const HEAD_BYTES = 1e6
const PEER = `
import csv, sys, time
start = time.process_time()
rows = sum(1 for row in csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))
print(rows - 1, time.process_time() - start)
`

/** Writes a header and rows up to a size, in pieces so that memory stays a measure of reading. */
function writeRows(path: string, bytes: number, names: readonly string[], cellsOf: (row: number) => string[]): number {
  let piece = `${names.join(',')}\n`
  let size = 0
  for (let row = 0; size + piece.length < bytes; row++) {
    piece += `${cellsOf(row).join(',')}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    appendFileSync(path, piece)
    size += piece.length
    piece = ''
  }
  appendFileSync(path, piece)
  return size + piece.length
}

/** Rows of words and numbers, two thirds of them with a quoted cell. */
function makeFile(path: string, bytes: number): number {
  const names = Array.from({ length: COLUMNS }, (_, column) => `column_${column}`)
  return writeRows(path, bytes, names, row => {
    const cells = names.map((_, column) =>
      column % 3 === 0 ? `some words ${row} ${column}` : `${(row * 7919 * (column + 1)) % 1_000_003}`
    )
    if (row % 3 !== 0) cells[4] = `"${row} Elm St, Unit ""${row % 90}"", Springfield"`
    return cells
  })
}

const PERMIT_NAMES =
  'permit_number,parcel_id,permit_type,site_address,applicant_name,contractor_name,applied_date,issued_date,status,valuation,description,work_class,city,state,zip,latitude,longitude,expires_date,total_sqft,units'.split(
    ','
  )

/** Clean permits with as many columns, two thirds of them with a quoted description. */
function makePermits(path: string, bytes: number): number {
  const random = randomFrom(5)
  const below = (n: number): number => Math.floor(random() * n)
  const kinds = permitRows(1000, 'bench')
  return writeRows(path, bytes, PERMIT_NAMES, row => {
    const cells = [...(kinds[row % kinds.length] ?? [])]
    cells[0] = `BP-2024-${row}`
    if (row % 3 !== 0) cells[10] = `"${cells[10]}, with ""${row % 90}"" units"`
    const place = [['Seattle', 'Kirkland', 'Redmond'][below(3)] ?? '', 'WA', `98${100 + below(99)}`]
    const point = [`47.${100_000 + below(899_999)}1`, `-122.${100_000 + below(899_999)}1`]
    return [...cells, 'Alteration', ...place, ...point, '2025-03-04', String(1 + below(5000)), String(1 + below(9))]
  })
}

async function timed(rows: () => Promise<number>): Promise<{ rows: number; seconds: number }> {
  const start = process.cpuUsage()
  const count = await rows()
  const { user, system } = process.cpuUsage(start)
  return { rows: count, seconds: (user + system) / 1e6 }
}

function peer(path: string): { rows: number; seconds: number } | null {
  const run = spawnSync('python3', ['-c', PEER, path], { encoding: 'utf8' })
  if (run.status !== 0) return null
  const [rows = 0, seconds = 0] = run.stdout.trim().split(' ').map(Number)
  return { rows, seconds }
}

const rateOf = (size: number, { seconds }: { readonly seconds: number }): string =>
  `${(size / 1e6 / seconds).toFixed(0)} MB/s`

const ratioOf = (other: { readonly seconds: number } | null, own: { readonly seconds: number }): string =>
  other === null ? 'no python3' : `ratio to csv.reader ${(other.seconds / own.seconds).toFixed(2)}`

interface Opened {
  readonly path: string
  readonly size: number
  readonly format: TabularFormat
}

function openFile(path: string, size: number): Opened {
  const head = Buffer.alloc(Math.min(HEAD_BYTES, size))
  readSync(openSync(path, 'r'), head)
  const decision = detectFormat(head, { whole: head.length === size })
  if (!decision.ok) throw new Error('the generated file was not recognised')
  return { path, size, format: decision.format }
}

const streamOf = ({ path, format }: Opened) =>
  createReadStream(path, { start: firstPosition(format).offset, highWaterMark: 256 * 1024 })

async function eachRow(file: Opened, see: (rows: readonly RawRow[]) => void): Promise<number> {
  const start = { ...firstPosition(file.format), records: Number.POSITIVE_INFINITY }
  let rows = 0
  for await (const some of readRows(streamOf(file), file.format, start)) {
    see(some)
    rows += some.length
  }
  return rows
}

async function splitRows(file: Opened): Promise<number> {
  let rows = 0
  for await (const chunk of splitFile(streamOf(file), file.format, firstPosition(file.format))) rows += chunk.records
  return rows
}

async function csvParse({ path }: Opened): Promise<number> {
  let rows = 0
  for await (const row of createReadStream(path).pipe(parse())) if (Array.isArray(row)) rows++
  return rows - 1
}

/** What the columns prove, as splitting finds it. */
async function evidenceOf(file: Opened): Promise<ColumnEvidence> {
  const collector = gatherEvidence(permit)
  await eachRow(file, rows => {
    for (const row of rows) collector.add(row)
  })
  return collector.result()
}

/** Every row read, mapped to a permit and judged; all must be accepted. */
async function validate(file: Opened, evidence: ColumnEvidence): Promise<number> {
  const today = '2026-01-01'
  const context = { today, jurisdiction: '53', evidence }
  const names = file.format.kind === 'delimited' ? file.format.columns : []
  const columns = usualColumns(permit, names, { evidence })
  const plain = plainRows(permit, context, field => columns[field])
  const map = rowMapper(permit, context)
  let accepted = 0
  const rows = await eachRow(file, some => {
    for (const row of some) {
      const quick = plain(row)
      const judgement = (quick && judgePlain(permit, quick, context)) ?? judge(permit, map(row), context)
      if (judgement.state === 'accepted') accepted++
    }
  })
  if (accepted !== rows) throw new Error(`${rows - accepted} permits were not accepted`)
  return rows
}

const folder = mkdtempSync(join(tmpdir(), 'docket-bench-'))
try {
  const bytes = Number(process.argv[2] ?? 50) * 1e6
  const [plain, permits] = [join(folder, 'rows.csv'), join(folder, 'permits.csv')]
  const file = openFile(plain, makeFile(plain, bytes))
  const permitFile = openFile(permits, makePermits(permits, bytes))
  const evidence = await evidenceOf(permitFile)
  for (let round = 0; round < ROUNDS; round++) {
    const read = await timed(() => eachRow(file, () => undefined))
    const split = await timed(() => splitRows(file))
    const parsed = await timed(() => csvParse(file))
    const other = peer(plain)
    const validated = await timed(() => validate(permitFile, evidence))
    const beside = peer(permits)
    const isSame =
      (other?.rows ?? read.rows) === read.rows &&
      parsed.rows === read.rows &&
      (beside?.rows ?? validated.rows) === validated.rows
    const memory = `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB${isSame ? '' : ' DIFFERENT ROW COUNTS'}`
    const [own, checked] = [rateOf(file.size, read), rateOf(permitFile.size, validated)]
    const toParse = `to csv-parse ${(parsed.seconds / read.seconds).toFixed(1)}`
    console.log(
      `read ${own}, split ${rateOf(file.size, split)}, ${ratioOf(other, read)}, ${toParse}, ${read.rows} rows`
    )
    console.log(`permits validated ${checked}, ${ratioOf(beside, validated)}, ${validated.rows} rows, ${memory}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
