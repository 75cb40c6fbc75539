import { isDeepStrictEqual } from 'node:util'
import { test } from 'tap'
import type { RawRow, RawValue } from '../../../src/model/rows.ts'
import type { Candidate } from '../../../src/profiles/candidate.ts'
import { applyCorrections } from '../../../src/profiles/judge/apply-corrections.ts'
import { compactFields, expandFields } from '../../../src/profiles/judge/compact-fields.ts'
import { valuesOf } from '../../../src/profiles/judge/judge.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { mapColumns } from '../../../src/profiles/tabular/map-columns.ts'
import { CONTEXT, mapPermit, permitRow, rowOf } from '../rows.ts'

function placeOf(row: RawRow) {
  const { fields, names } = mapColumns(permit, row.names)
  const columns = new Map(
    fields.flatMap(({ field, own }) => (own[0] === undefined ? [] : [[field.name, names[own[0]]]]))
  )
  return { jurisdiction: '53033', row: row.row, line: row.line, columnOf: (field: string) => columns.get(field) }
}

/** Stores and loads as the database does: through JSON. */
function roundTrip(candidate: Candidate, row: RawRow) {
  const place = placeOf(row)
  const stored = compactFields(permit, candidate.fields, place)
  const loaded = JSON.parse(JSON.stringify({ stored, values: valuesOf(candidate) }))
  return { stored, fields: expandFields(permit, loaded.stored, loaded.values, place) }
}

test('a clean row stores nothing but its values', async t => {
  const row = permitRow({ status: 'issued', issued_date: '2024-02-06', ward: '7' })
  const { stored, fields } = roundTrip(mapPermit(row), row)
  t.strictSame(stored, {})
  t.same(fields, mapPermit(row).fields)
})

test('only what differs is stored', async t => {
  const row = permitRow({ valuation: '$8,400', issued_date: '2024-02-30', status: 'odd', parcel_id: '' })
  const { stored, fields } = roundTrip(mapPermit(row), row)
  t.strictSame(stored, {
    project_valuation: { raw: '$8,400' },
    issued_date: { raw: '2024-02-30', status: 'invalid', flags: ['INVALID_DATE'] },
    status_mapped: {},
    parcel_id: {}
  })
  t.same(fields, mapPermit(row).fields)
})

const SEED = 20_260_630

/** Mulberry32, so that a failing case can be made again from its seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const CELLS: Record<string, readonly RawValue[]> = {
  permit_number: ['BP-1', '', '1.2E+9', { json: '12345678901234567890' }, ' x '],
  id: ['7', '', null],
  permit_type: ['roof', 'deck', 'TBD'],
  StatusCurrentMapped: ['Permit Issued', 'odd', ''],
  status: ['issued', 'Zoning Hold', 'N/A', ''],
  parcel_id: ['22-118', '', { json: '["22-119"]' }, { json: '{"a":1}' }],
  apn: ['22-118', '22-119', ''],
  block: ['0275B', '12'],
  lot: ['054', ''],
  valuation: ['8400', '8400.00', '1.234', '-5', '€5', { json: '1.5e3' }, 'none'],
  issued_date: ['2024-02-06', '03/04/2024', '2/3/24', '2024-02-30', '1900-01-01', ''],
  Jurisdiction: ['53033', '53061', 'City of Seattle', ''],
  units: ['72', '72.0', '72.5', { json: '72' }],
  street_number: ['9', ''],
  street_name: ['Elm', ''],
  attachments: [{ json: '[{"name":"a.pdf","size":"x"}]' }, 'a.pdf;b.pdf', '']
}

/** As it is answered: without prototypes and order of members. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('expanding gives exactly what was compacted', async t => {
  t.comment(`seed ${SEED}`)
  const random = randomOf(SEED)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  for (let count = 0; count < 2000; count += 1) {
    const members = Object.entries(CELLS)
      .filter(() => random() < 0.7)
      .map(([name, cells]): [string, RawValue] => [name, pick(cells) ?? null])
    const row = { ...rowOf(Object.fromEntries(members)), row: count + 1, line: count + 2 }
    const candidate = mapPermit(row)
    const settled =
      random() < 0.3 ? applyCorrections(permit, candidate, { status: 'issued', parcel_id: null }, CONTEXT) : candidate
    const { fields } = roundTrip(settled, row)
    if (!isDeepStrictEqual(plain(fields), plain(settled.fields))) {
      t.strictSame(plain(fields), plain(settled.fields), `case ${count}`)
      return
    }
  }
  t.pass('2,000 records')
})
