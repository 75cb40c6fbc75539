/**
 * Reads one generated delimited file with this project's reader and, when `python3` is there, with the csv module of
 * CPython (written in C), and prints both rates by CPU time and their ratio. Run: `node bench/tabular.ts [megabytes]`.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, createReadStream, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectFormat } from '../src/tabular/detect-format.ts'
import { firstPosition, readRows, splitFile } from '../src/tabular/split-file.ts'

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

/** Writes permit-like rows, two thirds of them with a quoted cell, in pieces so that memory stays a measure of reading. */
function makeFile(path: string, bytes: number): number {
  const names = Array.from({ length: COLUMNS }, (_, column) => `column_${column}`)
  let piece = `${names.join(',')}\n`
  let size = 0
  for (let row = 0; size + piece.length < bytes; row++) {
    const cells = names.map((_, column) =>
      column % 3 === 0 ? `some words ${row} ${column}` : `${(row * 7919 * (column + 1)) % 1_000_003}`
    )
    if (row % 3 !== 0) cells[4] = `"${row} Elm St, Unit ""${row % 90}"", Springfield"`
    piece += `${cells.join(',')}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    appendFileSync(path, piece)
    size += piece.length
    piece = ''
  }
  appendFileSync(path, piece)
  return size + piece.length
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

const folder = mkdtempSync(join(tmpdir(), 'docket-bench-'))
try {
  const path = join(folder, 'permits.csv')
  const size = makeFile(path, Number(process.argv[2] ?? 50) * 1e6)
  const head = Buffer.alloc(Math.min(HEAD_BYTES, size))
  readSync(openSync(path, 'r'), head)
  const decision = detectFormat(head, { whole: head.length === size })
  if (!decision.ok) throw new Error('the generated file was not recognised')
  const { format } = decision
  const position = firstPosition(format)
  const open = () => createReadStream(path, { start: position.offset, highWaterMark: 256 * 1024 })
  const rate = (seconds: number): string => `${(size / 1e6 / seconds).toFixed(0)} MB/s`
  for (let round = 0; round < ROUNDS; round++) {
    const read = await timed(async () => {
      let rows = 0
      for await (const batch of readRows(open(), format, { ...position, records: Number.POSITIVE_INFINITY }))
        rows += batch.length
      return rows
    })
    const split = await timed(async () => {
      let rows = 0
      for await (const chunk of splitFile(open(), format, position)) rows += chunk.records
      return rows
    })
    const other = peer(path)
    const same = other === null || other.rows === read.rows ? '' : ' DIFFERENT ROW COUNTS'
    const ratio =
      other === null
        ? 'no python3'
        : `csv.reader ${rate(other.seconds)}, ratio ${(other.seconds / read.seconds).toFixed(2)}`
    const memory = `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`
    process.stdout.write(
      `read ${rate(read.seconds)}, split ${rate(split.seconds)}, ${ratio}, ${read.rows} rows, ${memory}${same}\n`
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
