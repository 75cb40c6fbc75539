import t from 'tap'
import type { RawRow } from '../../../src/model/rows.ts'
import { enrichDraft } from '../../../src/pipeline/enrich/enrich-drafts.ts'
import type { Found } from '../../../src/pipeline/enrich/plain-enrichment.ts'
import { enrichPlain } from '../../../src/pipeline/enrich/plain-enrichment.ts'
import type { Resolved } from '../../../src/pipeline/enrich/resolve.ts'
import { usualColumns } from '../../../src/pipeline/split/file-format.ts'
import type { Draft } from '../../../src/pipeline/work/judge-candidates.ts'
import { compactFields } from '../../../src/profiles/judge/compact-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { judgePlain } from '../../../src/profiles/judge/judge-plain.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { plainRows } from '../../../src/profiles/tabular/plain/plain-rows.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { toLookUp } from '../../../src/registries/provenance.ts'
import type { Answer, RegistryRecord } from '../../../src/registries/registry.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'
import { CONTEXT } from '../../profiles/rows.ts'
import { permitFee, scheduleOf } from '../../registries/fees/schedules.ts'

const seed = testSeed()
t.comment(`DOCKET_TEST_SEED=${seed}`)
const ROUNDS = 3000

const { today, jurisdiction } = CONTEXT
const context = { ...CONTEXT, evidence: { columns: [] } }
const given = { registry: 'table', asOf: today, fetchedAt: `${today}T10:00:00.000Z`, fromCache: false }

/** Rows of files of different columns, nearly all with nothing to tell by themselves. */
function anyRow(random: Random): RawRow {
  const cells: [string, string][] = [
    ['permit_number', `BP-${random.below(1000)}`],
    ['permit_type', random.pick(['Building', 'Building', 'Electrical'])],
    ['parcel_id', random.pick(['22-118', '22118', ''])],
    ['valuation', random.pick(['8400.00', '1250000.01', '0.00', '-5.00', ''])],
    ['site_address', random.pick(['1 Elm St', '2 Oak Ave', ''])],
    ['owner_name', random.pick(['Ann Lee', 'Bob Stone', ''])],
    ['applied_date', random.pick(['2024-03-01', '2019-03-01', ''])],
    ['stated_fee', random.pick(['', '', '165.25', '1.00'])],
    ['ward', random.pick(['7', ''])]
  ]
  const kept = cells.filter(([name]) => name.startsWith('permit') || random.below(5) > 0)
  return { row: 1, line: 2, names: kept.map(([name]) => name), values: kept.map(([, cell]) => cell) }
}

const anyParcel = (random: Random, parcelId: string): RegistryRecord => ({
  parcelId,
  zoningCode: random.pick(['R-1', 'R-1', 'C-2', null]),
  siteAddress: random.pick(['1 Elm St', '1 ELM STREET', '2 Oak Ave', null]),
  ownerName: random.pick(['Ann Lee', 'LEE, ANN', null, null]),
  retired: random.below(8) === 0
})

function anyAnswer(random: Random, value: string): Resolved {
  const key = random.below(6) === 0 ? `${value}-0` : value
  const kind = random.pick([
    'match',
    'match',
    'match',
    'match',
    'match',
    'stale',
    'no_match',
    'several',
    'unavailable'
  ] as const)
  if (kind === 'unavailable') return { key, answer: { kind, code: 'timeout' } }
  const match: Answer = { kind: 'match', value: anyParcel(random, key) }
  if (kind === 'no_match') return { key, answer: toLookUp(key, { kind }, given) }
  if (kind === 'several') {
    return { key, answer: toLookUp(key, { kind, candidates: [anyParcel(random, key), anyParcel(random, key)] }, given) }
  }
  const answer = toLookUp(key, match, given)
  return { key, answer: kind === 'stale' && answer.kind === 'match' ? { ...answer, kind } : answer }
}

const SCHEDULES = [
  [scheduleOf([permitFee()])],
  [scheduleOf([permitFee(), { name: 'plan_check', kind: 'percent', of: ['permit_fee'], percent: '65' }])],
  [scheduleOf([{ name: 'a', kind: 'per_unit', of: 'dwelling_units', rate: '10' }])],
  []
]

function anyFound(random: Random, parcel: string | undefined): Found {
  const hasParcel = parcel !== undefined && random.below(5) > 0
  return {
    parcel: hasParcel ? anyAnswer(random, parcel) : undefined,
    zoning: hasParcel && random.below(6) === 0 ? anyAnswer(random, parcel) : undefined,
    property: undefined,
    hasFees: random.below(4) > 0,
    schedules: random.below(10) === 0 ? undefined : random.pick(SCHEDULES),
    received: today
  }
}

interface Case {
  readonly draft: Draft
  readonly found: Found
  readonly columnOf: (field: string) => string | undefined
}

function anyCase(random: Random): Case | null {
  const row = anyRow(random)
  const usual = usualColumns(permit, row.names, { evidence: context.evidence })
  const columnOf = (field: string): string | undefined => usual[field]
  const plain = plainRows(permit, context, columnOf)(row)
  if (plain === null) return null
  const draft = {
    item: 1,
    line: 2,
    idempotencyKey: '00',
    candidate: rowMapper(permit, context)(row),
    plain,
    diagnostic: null
  }
  const parcel = plain.values['parcel_id']
  return { draft, found: anyFound(random, typeof parcel === 'string' ? parcel : undefined), columnOf }
}

/** As a record is judged: by its plain reading where it has one that is surely accepted, else by its envelopes. */
function outcomeOf(draft: Draft, columnOf: Case['columnOf']) {
  const accepted = draft.plain ? judgePlain(permit, draft.plain, { today, jurisdiction }) : null
  if (draft.plain && accepted)
    return { ...accepted, values: JSON.stringify(accepted.values), fields: draft.plain.stored }
  const judged = judge(permit, draft.candidate, { today, jurisdiction })
  const fields = compactFields(permit, draft.candidate.fields, { jurisdiction, row: 1, line: 2, columnOf })
  return { ...judged, values: JSON.stringify(judged.values), fields }
}

t.test('a record enriched the quick way is what it is by its envelopes, whatever registries answer', async t => {
  const random = new Random(seed)
  let quick = 0
  for (let i = 0; i < ROUNDS; i++) {
    const one = anyCase(random)
    if (one === null) continue
    const { draft, found, columnOf } = one
    const enriched = enrichDraft(permit, draft, found)
    const long = enrichDraft(permit, { ...draft, plain: null }, found)
    if (draft.plain && enrichPlain(permit, draft, draft.plain, found) !== null) quick += 1
    t.strictSame(outcomeOf(enriched, columnOf), outcomeOf(long, columnOf))
    t.strictSame(enriched.candidate, long.candidate)
  }
  t.ok(quick > ROUNDS / 50, `${quick} went the quick way`)
})

t.test('what would not be the same is seen', async t => {
  const random = new Random(1)
  for (;;) {
    const one = anyCase(random)
    if (!one?.draft.plain || enrichPlain(permit, one.draft, one.draft.plain, one.found) === null) continue
    const planted = {
      ...one.draft,
      plain: { ...one.draft.plain, values: { ...one.draft.plain.values, submission_id: 'X' } }
    }
    const long = outcomeOf(enrichDraft(permit, { ...one.draft, plain: null }, one.found), one.columnOf)
    t.notSame(outcomeOf(enrichDraft(permit, planted, one.found), one.columnOf), long)
    return
  }
})
