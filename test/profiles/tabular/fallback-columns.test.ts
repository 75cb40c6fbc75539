import { test } from 'tap'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../../../src/profiles/tabular/column-evidence.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'

const evidence = gatherEvidence(permit).result()
const map = rowMapper(permit, { today: '2026-01-01', jurisdiction: '53033', evidence })

const OTHERS: Readonly<Record<string, string>> = {
  permit_number: 'P-1',
  permit_type: 'roof',
  parcel_number: '22-1',
  valuation: '900'
}

/** Field, its own column, and one that stands in where a file has none. */
const STAND_INS: readonly [string, string, string][] = [
  ['submission_id', 'permit_number', 'id'],
  ['submission_id', 'permit_number', 'tracking_number'],
  ['project_valuation', 'valuation', 'building_valuation'],
  ['permit_type_code', 'permit_type', 'type'],
  ['parcel_id', 'parcel_number', 'pin_nbr']
]

const read = (cells: Readonly<Record<string, string>>) =>
  map({ row: 1, line: 2, names: Object.keys(cells), values: Object.values(cells) })

for (const [field, own, standIn] of STAND_INS) {
  test(`${standIn} stands in for ${field} only where the file has no column for it`, t => {
    const { [own]: _own, ...without } = OTHERS
    t.equal(read({ ...without, [standIn]: '7' }).fields[field]?.raw, '7', 'no own column')
    const blank = read({ ...OTHERS, [own]: ' ', [standIn]: '7' })
    t.equal(blank.fields[field]?.value ?? null, null, 'own column, blank in this row')
    t.ok(
      blank.reasons.some(reason => reason.code === 'FIELD_MISSING' && reason.field === field),
      'and the row is held'
    )
    t.end()
  })
}
