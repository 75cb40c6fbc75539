import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { test } from 'tap'
import type { RawRow } from '../../src/model/rows.ts'
import type { Dialect, TabularFormat } from '../../src/tabular/format.ts'
import { firstPosition } from '../../src/tabular/split-file.ts'
import type { Encoding } from '../../src/tabular/text/encodings.ts'
import { fixture, formatOf, outline, readChunk, type SplitRun, splitAll, utf32 } from './read-all.ts'

/** More find more: raise it by hand when a reader changes. */
const ROUNDS = Number(process.env['DOCKET_TEST_ROUNDS'] ?? 30)
const SEED = Number(process.env['DOCKET_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

/** Mulberry32: small, seeded, good enough to choose tokens. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Check = {
  equal: (a: unknown, b: unknown, m: string) => unknown
  strictSame: (a: unknown, b: unknown, m: string) => unknown
}

interface Subject {
  readonly bytes: Buffer
  readonly format: TabularFormat
  readonly random: (below: number) => number
}

/** Chunks follow one another; each read alone, and split again from where it ends, gives what the whole gave. */
async function checkRun(t: Check, subject: Subject, run: SplitRun): Promise<void> {
  const { bytes, format, random } = subject
  const rows: RawRow[] = []
  let next = firstPosition(format)
  for (const [index, chunk] of run.chunks.entries()) {
    t.strictSame(
      { offset: chunk.byteStart, row: chunk.firstRow, line: chunk.firstLine, ordinal: chunk.ordinal, done: false },
      next,
      'a chunk begins where the one before ended'
    )
    const range = bytes.subarray(chunk.byteStart, chunk.byteEnd)
    t.equal(chunk.digest, createHash('sha256').update(range).digest('hex'), 'its bytes and no others were hashed')
    rows.push(...(await readChunk(bytes, format, chunk, 1 + random(40))))
    next = chunk.next
    if (random(4) > 0) continue
    const again = await splitAll(bytes, format, { from: next, bounds: run.bounds, blockBytes: 1 + random(90) })
    t.strictSame(again.chunks, run.chunks.slice(index + 1), 'going on gives the same chunks')
  }
  t.strictSame(rows, run.rows, 'rows of the chunks are the rows seen while splitting')
  t.strictSame(
    rows.map(row => row.row),
    rows.map((_, index) => index + 1),
    'rows are numbered without a gap'
  )
}

for (const name of readdirSync(new URL('../fixtures/tabular', import.meta.url))) {
  test(`${name}: blocks of every small size and chunks of one row give the same rows`, async t => {
    const bytes = fixture(name)
    const format = formatOf(bytes)
    const whole = await splitAll(bytes, format)
    const sizes = bytes.length > 2000 ? [1, 7, 64] : Array.from({ length: 24 }, (_, size) => size + 1)
    for (const blockBytes of sizes) {
      const run = await splitAll(bytes, format, { bounds: { records: 1, bytes: 25e6 }, blockBytes })
      t.strictSame(run.rows, whole.rows, `blocks of ${blockBytes}`)
      t.equal(run.chunks.length, whole.rows.length, 'one chunk a row')
    }
    const random = randomFrom(SEED)
    await checkRun(t, { bytes, format, random }, await splitAll(bytes, format, { bounds: { records: 2, bytes: 25e6 } }))
  })
}

const DELIMITED = [
  '"',
  '"',
  '""',
  ',',
  ',',
  ',',
  '\n',
  '\n',
  '\r\n',
  '\r',
  'é',
  'x y',
  '\\',
  '\0',
  ',"',
  '",',
  ' ',
  '\n\n'
]
const JSON_PARTS = [
  '{',
  '}',
  '[',
  ']',
  '"a":',
  '"',
  ',',
  ':',
  '\n',
  '\r\n',
  '{"b":1}',
  '{"c":"d"}',
  'NaN',
  '\\',
  'é',
  ' ',
  '\n{"e":',
  '}'
]

/** Text of random tokens, each marked so that it can be looked for in what was read. */
function soup(
  tokens: readonly string[],
  count: number,
  random: (below: number) => number
): { text: string; marks: string[] } {
  const marks: string[] = []
  let text = ''
  for (let index = 0; index < count; index++) {
    if (random(3) === 0) {
      const mark = `m${index}m`
      marks.push(mark)
      text += tokens === JSON_PARTS && random(2) === 0 ? `{"${mark}":${index}}` : mark
    } else text += tokens[random(tokens.length)]
  }
  return { text, marks }
}

function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  return utf32(text)
}

/** A copy with some bytes spoilt, so that undecodable rows occur. */
function spoilt(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes)
  if (copy.length > 0 && random(3) === 0) copy[random(copy.length)] = 0xe9
  return copy
}

const seen = (rows: readonly RawRow[]): string =>
  rows
    .map(row => [...row.names, ...row.values.map(value => JSON.stringify(value)), row.source ?? ''].join('\u0001'))
    .join('\u0001')

const DIALECTS: readonly Dialect[] = [
  { delimiter: ',', quote: '"', escape: 'double' },
  { delimiter: ',', quote: '"', escape: 'backslash' },
  { delimiter: ',', quote: null, escape: 'double' }
]

const BASE = { dataOffset: 0, dataLine: 1, evidence: {} }

async function checkSoup(t: Check, format: TabularFormat, tokens: readonly string[], seed: number): Promise<void> {
  const random = randomFrom(seed)
  const { text, marks } = soup(tokens, 5 + random(120), random)
  const bytes = encoded(text, format.encoding)
  const whole = await splitAll(bytes, format)
  const everything = seen(whole.rows)
  const lost = marks.filter(mark => !everything.includes(mark))
  t.strictSame(lost, [], `seed ${seed}: nothing is lost of ${JSON.stringify(text)}`)
  const harmed = spoilt(bytes, random)
  const bounds = { records: 1 + random(4), bytes: 10 + random(200) }
  const one = await splitAll(harmed, format, { bounds })
  const other = await splitAll(harmed, format, { bounds, blockBytes: 1 + random(60) })
  t.strictSame(other, one, `seed ${seed}: the size of blocks changes nothing`)
  await checkRun(t, { bytes: harmed, format, random }, one)
}

for (const encoding of ['utf-8', 'windows-1252', 'utf-16be', 'utf-32le'] as const) {
  test(`random delimited text in ${encoding}, seed ${SEED}`, async t => {
    for (let round = 0; round < ROUNDS; round++) {
      const dialect = DIALECTS[round % DIALECTS.length] ?? DIALECTS[0]
      if (dialect === undefined) continue
      const format: TabularFormat = {
        ...BASE,
        kind: 'delimited',
        encoding,
        dialect,
        columns: ['a', 'b', 'c'],
        headerLine: null
      }
      await checkSoup(quiet(t), format, DELIMITED, SEED + round)
    }
    t.pass('all rounds')
  })
  test(`random JSON in ${encoding}, seed ${SEED}`, async t => {
    for (let round = 0; round < ROUNDS; round++) {
      const layout = (['array', 'sequence', 'lines'] as const)[round % 3] ?? 'array'
      const format: TabularFormat = { ...BASE, kind: 'json', encoding, layout, openObjects: 0 }
      await checkSoup(quiet(t), format, JSON_PARTS, SEED + round)
    }
    t.pass('all rounds')
  })
}

/** Speaks only of failures: thousands of passing lines help nobody. */
function quiet(t: Check & { same?: unknown }): Check {
  const asText = (value: unknown): string => JSON.stringify(value)
  return {
    equal: (a, b, m) => (a === b ? true : t.equal(a, b, m)),
    strictSame: (a, b, m) => (asText(a) === asText(b) ? true : t.strictSame(a, b, m))
  }
}

test('bounds: records first, then bytes, a larger record alone', async t => {
  const bytes = Buffer.from(`permit_number,status\n${'a,b\n'.repeat(10)}${'c'.repeat(100)},d\n${'a,b\n'.repeat(3)}`)
  const format = formatOf(bytes)
  const byRecords = await splitAll(bytes, format, { bounds: { records: 4, bytes: 1e6 } })
  t.strictSame(
    byRecords.chunks.map(chunk => chunk.records),
    [4, 4, 4, 2]
  )
  const byBytes = await splitAll(bytes, format, { bounds: { records: 500, bytes: 20 } })
  t.strictSame(
    byBytes.chunks.map(chunk => chunk.records),
    [5, 5, 1, 3]
  )
  t.equal(byBytes.chunks.at(-1)?.byteEnd, bytes.length)
})

test('rows after a yielded chunk are not handed on before it', async t => {
  const bytes = Buffer.from(`permit_number,status\n${'a,b\n'.repeat(9)}`)
  const format = formatOf(bytes)
  const run: SplitRun = await splitAll(bytes, format, { bounds: { records: 3, bytes: 1e6 } })
  t.strictSame(run.handedOn, [3, 6, 9])
  t.strictSame(outline(run.rows).at(-1), '9 10 ok')
})
