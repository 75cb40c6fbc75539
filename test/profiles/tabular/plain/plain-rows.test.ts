import tap from 'tap'
import type { RawRow, RawValue } from '../../../../src/model/rows.ts'
import { usualColumns } from '../../../../src/pipeline/split/file-format.ts'
import { compactFields } from '../../../../src/profiles/judge/compact-fields.ts'
import { judge } from '../../../../src/profiles/judge/judge.ts'
import { judgePlain } from '../../../../src/profiles/judge/judge-plain.ts'
import { permit } from '../../../../src/profiles/permit/permit.ts'
import { plainRows } from '../../../../src/profiles/tabular/plain/plain-rows.ts'
import { rowMapper } from '../../../../src/profiles/tabular/row-mapper.ts'
import type { ColumnEvidence } from '../../../../src/profiles/tabular/source-options.ts'
import { Random, testSeed } from '../../../normalize/properties/random.ts'
import { CONTEXT } from '../../rows.ts'

const seed = testSeed()
tap.comment(`seed ${seed}`)

/** Cells of a column: the first ones as clean files have them, the others with something to tell. */
const CELLS: Readonly<Record<string, readonly RawValue[]>> = {
  permit_number: ['BP-2024-1', '007', 'ＢＰ-1', '', '1.70312E+13', ' BP-2 '],
  permit_type: ['Building', 'roof', 'Electrical', 'Circus', 'N/A', ''],
  parcel_id: ['22-118', '0012345', '17-03-123-045-0000', '000', '3-Jan', ''],
  valuation: ['8400.00', '412375', '12.5', '0', '$1,250.00', '(5.00)', '1.234', '', '1e5'],
  applied_date: ['2024-02-06', '2024-12-31', '', '2099-01-01', '1850-01-01', '03/04/2024', '13/04/2024'],
  issued_date: ['2024-03-06', '2023-01-01', '', 'TBD', '2024-02-30'],
  status: ['issued', 'Finaled', '', 'on the moon'],
  status_mapped: ['Permit Issued', 'In Review', '', 'Else'],
  jurisdiction_fips: ['53033', '53033', '', '06037', 'City of Elsewhere'],
  total_fee: ['10.00', '', '12.345.6'],
  units: ['3', '', '72.5', { json: '4' }, { json: 'null' }, null],
  latitude: ['47.6062', '47.60620', '', '91'],
  description: ['New roof', 'x y', 'xx', 'two  spaces', 'lost \ufffd', '', { json: '"a"' }],
  site_address: ['12 Elm St', '', { json: '{"street":"12 Elm St"}' }],
  ward: ['7', '', 'seven', { json: '[1,2]' }, { json: '3' }]
}

const JSON_ONLY = (value: RawValue): boolean => typeof value !== 'string'

/** Rows of one file: some of the columns, cells nearly all clean, text alone or with other members of JSON. */
function fileOf(random: Random): { readonly names: string[]; readonly rows: RawRow[] } {
  const isJson = random.below(4) === 0
  const names = Object.keys(CELLS).filter((_, at) => at < 4 || random.below(3) > 0)
  if (random.below(6) === 0) names.push('ward')
  const dirt = random.below(5)
  const rows = Array.from({ length: 12 }, (_, row): RawRow => {
    const values = names.map((name): RawValue => {
      const all = (CELLS[name] ?? []).filter(value => isJson || !JSON_ONLY(value))
      const value = all[random.below(random.below(10) < dirt ? all.length : 2)]
      return value === undefined ? '' : value
    })
    return { row: row + 1, line: row + 2, names, values }
  })
  return { names, rows }
}

tap.test('what the plain way reads is what the long way reads', async t => {
  const random = new Random(seed)
  const { today, jurisdiction } = CONTEXT
  let plainRead = 0
  let accepted = 0
  let all = 0
  for (let round = 0; round < 1500; round++) {
    const { names, rows } = fileOf(random)
    const evidence: ColumnEvidence = { columns: [] }
    const context = { ...CONTEXT, evidence }
    const usual = usualColumns(permit, names, { evidence })
    // A file that came back is read by its source's own mapping: its columns may differ from the usual ones.
    const isOther = random.below(8) === 0
    // Members of JSON come and go: other records of the file have columns that these have not.
    const others = random.below(4) === 0 ? usualColumns(permit, Object.keys(CELLS), { evidence }) : usual
    const columnOf = (field: string): string | undefined => (isOther && field === 'parcel_id' ? 'APN' : others[field])
    const plain = plainRows(permit, context, columnOf)
    const map = rowMapper(permit, context)
    for (const row of rows) {
      all += 1
      const quick = plain(row)
      if (quick === null) continue
      plainRead += 1
      const candidate = map(row)
      const long = judge(permit, candidate, { today, jurisdiction })
      const place = { jurisdiction, row: row.row, line: row.line, columnOf }
      const judged = judgePlain(permit, quick, { today, jurisdiction })
      if (judged !== null) accepted += 1
      const { values, ...judgement } = long
      t.strictSame(
        // As text, since the order of the values counts too.
        {
          told: JSON.stringify(quick.values),
          stored: quick.stored,
          reasons: [],
          ...(judged && { ...judged, values: null })
        },
        {
          told: JSON.stringify(values),
          stored: compactFields(permit, candidate.fields, place),
          reasons: candidate.reasons,
          ...(judged && { ...judgement, values: null })
        },
        JSON.stringify(row)
      )
    }
  }
  t.ok(plainRead > all / 6 && plainRead < all, `${plainRead} of ${all} rows were read the plain way`)
  t.ok(accepted > all / 12 && accepted < plainRead, `${accepted} of them were accepted so`)
})

tap.test('a row with something to tell is left to the long way', async t => {
  const names = ['permit_number', 'permit_type', 'parcel_id', 'valuation', 'status', 'issued_date', 'ward', 'ward']
  const usual = usualColumns(permit, names, {})
  const plain = plainRows(permit, CONTEXT, field => usual[field])
  const read = (values: readonly RawValue[], more: Partial<RawRow> = {}) =>
    plain({ row: 1, line: 2, names, values, ...more })
  t.equal(read(['BP-1', 'roof', '22-118', '1.00', 'issued', '', '', '']), null, 'two columns of one name')
  const own = names.slice(0, -1)
  const one = (values: readonly RawValue[], more: Partial<RawRow> = {}) => read(values, { names: own, ...more })
  t.ok(one(['BP-1', 'roof', '22-118', '1.00', 'issued', '', '7']), 'a clean one')
  t.equal(one(['BP-1', 'roof', '22-118', '1.00', 'issued', 'TBD', '7']), null, 'a placeholder')
  t.equal(one(['BP-1', 'roof', '', '1.00', 'issued', '', '7']), null, 'a required field that is blank')
  t.equal(one(['BP-1', 'roof', '22-118', '1.00', 'on the moon', '', '7']), null, 'a value outside the vocabulary')
  t.equal(one(['BP-1', 'roof', '22-118', '1.00', 'issued', '', { json: '7' }]), null, 'a number of JSON')
  t.equal(one([], { fault: { code: 'ROW_UNPARSABLE' } }), null, 'a row that could not be cut')
  t.equal(
    one(['BP-1', 'roof', '22-118', '1.00', 'issued', '', '7'], { fault: { code: 'ROW_UNPARSABLE' } }),
    null,
    'a row with a fault'
  )
})
