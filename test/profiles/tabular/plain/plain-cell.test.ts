import { isDeepStrictEqual } from 'node:util'
import tap from 'tap'
import { defineProfile } from '../../../../src/profiles/define-profile.ts'
import type { Field, FieldSpec, ReadContext } from '../../../../src/profiles/profile.ts'
import { plainReader } from '../../../../src/profiles/tabular/plain/plain-cell.ts'
import { readCell } from '../../../../src/profiles/tabular/read-cell.ts'
import { Random, testSeed } from '../../../normalize/properties/random.ts'

const seed = testSeed()
tap.comment(`seed ${seed}`)

const spec = (type: FieldSpec['type'], constraints: FieldSpec['constraints'] = {}): FieldSpec => ({
  type,
  title: 'Any',
  pii: 'P0',
  constraints
})

const FIELDS: readonly Field[] = Object.values(
  defineProfile({
    name: 'plain',
    version: 1,
    title: 'Plain cells',
    fields: {
      text: spec('text', { maxLength: 12 }),
      name: spec('name'),
      address: spec('address'),
      identifier: spec('identifier', { maxLength: 20 }),
      date: spec('date'),
      money: spec('money', { nonNegative: true, max: '1000000000' }),
      integer: spec('integer', { nonNegative: true, max: '99' }),
      decimal: spec('decimal', { min: '-90', max: '90' }),
      area: spec('decimal', { nonNegative: true }),
      list: spec('list')
    },
    naturalKey: ['identifier'],
    rules: [],
    gate: { threshold: 0.8 }
  }).fields
)

const contextOf = (decimal?: '.' | ','): ReadContext => ({
  today: '2026-06-30',
  jurisdiction: '53033',
  yearPivot: 'past',
  source: 'cell',
  ...(decimal === undefined ? {} : { decimal })
})
const CONTEXTS = [contextOf(), contextOf('.'), contextOf(',')]
const ORIGIN = { row: 1, column: 'any', line: 2 }

/** Whether the long way reads a cell as exactly this value, found as written. */
function isRead(field: Field, cell: string, context: ReadContext, value: string | number): boolean {
  const envelope = readCell(field, cell, { cell: context, json: context }, ORIGIN)
  return isDeepStrictEqual(envelope, { value, raw: cell, status: 'found', confidence: 1, origin: ORIGIN, flags: [] })
}

const PIECES =
  '|\u00a0|\t|\u200b|\ufffd|\\ufffd|\\|é|  | |x|X|xxxx|XXXX|*|***|[redacted]|redacted|=|="7"|="|"|n/a|N/A|none|TBD|nan|NaT|null|unknown|-|--|_|__|.|?|#|\u0000|\u001f|\u007f|█|true|Jan|MAR|3-Jan|MAR-1|0|00|000|1|7|12|42|90|99|2024|2024-01-31|2024-02-29|1900-01-01|2024-02-28|/|,|.5|.50|1.00|1E5|e+|E+13|22118.0|BP-|bp|a|Elm St|Smith|Roof'.split(
    '|'
  )
const WHOLE = [
  ['BP-2024-0012', 'identifier'],
  ['9 Elm Street', 'text'],
  ['2024-02-28', 'date'],
  ['321000.86', 'money'],
  ['72', 'integer'],
  ['-12.5', 'decimal'],
  ['Anna Smith', 'name']
] as const

/** The first cell that a plain reader and the long way read differently, and how many the plain readers answered. */
function compare(make: typeof plainReader, rounds: number) {
  const random = new Random(seed)
  const readers = FIELDS.flatMap(field => CONTEXTS.map(context => ({ field, context, read: make(field, context) })))
  let answered = 0
  for (let round = 0; round < rounds; round += 1) {
    const count = 1 + random.below(4)
    const cell = Array.from({ length: count }, () =>
      random.below(4) === 0 ? random.pick(WHOLE)[0] : random.pick(PIECES)
    ).join('')
    for (const { field, context, read } of readers) {
      const value = read?.(cell)
      if (value === undefined) continue
      answered += 1
      if (!isRead(field, cell, context, value)) return { answered, differs: `${field.name} ${JSON.stringify(cell)}` }
    }
  }
  return { answered, differs: null }
}

const ROUNDS = Number(process.env['DOCKET_TEST_ROUNDS'] ?? 20_000)

tap.test('what a plain reader answers is what the long way reads', async t => {
  const { answered, differs } = compare(plainReader, ROUNDS)
  t.equal(differs, null)
  t.ok(answered > ROUNDS, `${answered} cells answered`)
})

tap.test('clean cells have a plain reader', async t => {
  for (const [cell, name] of WHOLE) {
    const field = FIELDS.find(entry => entry.name === name) as Field
    t.not(plainReader(field, contextOf('.'))?.(cell), undefined, `${name} ${cell}`)
  }
  t.equal(plainReader(FIELDS.find(entry => entry.name === 'list') as Field, contextOf()), null)
})

tap.test('a reader that answers too much is found out', async t => {
  const careless: typeof plainReader = (field, context) => {
    const read = plainReader(field, context)
    return read === null ? null : cell => read(cell) ?? (cell.endsWith('XXXX') ? cell : undefined)
  }
  t.not(compare(careless, ROUNDS).differs, null)
})
