import t from 'tap'
import type { RawRow } from '../../../src/model/rows.ts'
import { prepareDrafts } from '../../../src/pipeline/rules/prepare-drafts.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { plainRows } from '../../../src/profiles/tabular/plain/plain-rows.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'

const COOK = '17031'
const context = { today: '2026-11-30', jurisdiction: COOK, evidence: { columns: [] } }
const names = ['permit_number', 'permit_type', 'pin_list']
const chunk = { jurisdiction: COOK, receivedAt: '2026-11-30T10:00:00Z', manifestVersion: 'm' } as Parameters<
  typeof prepareDrafts
>[0]

function prepared(list: string) {
  const row: RawRow = { row: 1, line: 2, names, values: ['BP-1', 'Building', list] }
  const plain = plainRows(permit, context, field => ({ parcel_ids: 'pin_list' })[field])(row)
  const candidate = rowMapper(permit, context)(row)
  const draft = { item: 1, line: 2, idempotencyKey: '00', candidate, plain, diagnostic: null }
  const [one] = prepareDrafts(chunk, [draft], { profile: permit, inForce: undefined })
  return { isSame: one === draft, list: one?.candidate.fields['parcel_ids'], hasPlain: Boolean(one?.plain) }
}

t.test('each of all parcels of a permit is in the form of its county; what was written stays', async t => {
  const { list, hasPlain } = prepared('17-09-410-014-0000 | 17094100151001 | lot 7')
  t.same(list?.value, ['17094100140000', '17094100151001', 'lot 7'])
  t.equal(list?.raw, '17-09-410-014-0000 | 17094100151001 | lot 7')
  t.equal(hasPlain, false, 'it has something to tell')
  const short = prepared('17-09-410-014').list
  t.same(short?.value, ['17094100140000'])
  t.match(short?.flags, ['SUFFIX_DEFAULTED'])
})

t.test('a list that is in that form already is left alone', async t => {
  t.ok(prepared('17094100140000 | 17094100151001').isSame)
})
