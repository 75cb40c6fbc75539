import t from 'tap'
import type { RawRow } from '../../../src/model/rows.ts'
import { type Addition, absentFrom, fromRegistry, held } from '../../../src/pipeline/enrich/addition.ts'
import { withAdditions } from '../../../src/pipeline/enrich/enriched-draft.ts'
import { usualColumns } from '../../../src/pipeline/split/file-format.ts'
import { compactFields } from '../../../src/profiles/judge/compact-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { judgePlain } from '../../../src/profiles/judge/judge-plain.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { plainRows } from '../../../src/profiles/tabular/plain/plain-rows.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { CONTEXT } from '../../profiles/rows.ts'

const NAMES = ['permit_number', 'permit_type', 'parcel_id', 'valuation', 'description', 'ward']
const VALUES = ['BP-1', 'Building', '22-118', '8400.00', 'New roof', '7']
const { today, jurisdiction } = CONTEXT
const context = { ...CONTEXT, evidence: { columns: [] } }
const usual = usualColumns(permit, NAMES, { evidence: context.evidence })
const columnOf = (field: string): string | undefined => usual[field]
const row: RawRow = { row: 1, line: 2, names: NAMES, values: VALUES }

function drafted(additions: readonly Addition[]) {
  const plain = plainRows(permit, context, columnOf)(row)
  if (plain === null) throw new Error('the row has something to tell')
  const candidate = rowMapper(permit, context)(row)
  return withAdditions(
    permit,
    { item: 1, line: 2, idempotencyKey: '00', candidate, plain, diagnostic: null },
    additions
  )
}

const FOUND: Addition = {
  fields: {
    zoning_code: fromRegistry('R-1', 'parcel', '22-118'),
    fee_cents: fromRegistry(5900, 'feeSchedule', 'FS'),
    fee_schedule_id: fromRegistry('FS', 'feeSchedule', 'FS')
  },
  reasons: []
}

t.test('what registries add the plain way is what they add the long way, in order and in store', async t => {
  const draft = drafted([FOUND])
  t.ok(draft.plain)
  if (!draft.plain) return
  const long = judge(permit, draft.candidate, { today, jurisdiction })
  const quick = judgePlain(permit, draft.plain, { today, jurisdiction })
  t.equal(JSON.stringify(quick?.values), JSON.stringify(long.values))
  t.equal(Object.keys(draft.plain.values).at(-1), 'extra')
  t.same({ ...quick, values: null }, { ...long, values: null })
  const place = { jurisdiction, row: 1, line: 2, columnOf }
  t.strictSame(draft.plain.stored, compactFields(permit, draft.candidate.fields, place))
})

t.test('what has something to tell is judged the long way', async t => {
  const parcel = drafted([]).candidate.fields['parcel_id']
  if (!parcel) throw new Error('no parcel')
  const telling: Addition[] = [
    held('PARCEL_NO_MATCH', 'parcel_id', 'parcel', '22-118'),
    { fields: { zoning_code: absentFrom('parcel', '22-118') }, reasons: [] },
    { fields: { parcel_id: { ...parcel, flags: ['X'] } }, reasons: [] }
  ]
  for (const addition of telling) {
    const draft = drafted([FOUND, addition])
    t.equal(draft.plain, null)
    const [name = ''] = Object.keys(addition.fields)
    t.same(draft.candidate.fields[name], addition.fields[name])
    t.same(draft.candidate.reasons, addition.reasons)
  }
})
