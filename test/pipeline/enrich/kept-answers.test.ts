import { createHash } from 'node:crypto'
import t from 'tap'
import type { Json } from '../../../src/model/json.ts'
import { answerIn, keptAnswers } from '../../../src/pipeline/enrich/kept-answers.ts'
import type { Resolved } from '../../../src/pipeline/enrich/resolve.ts'
import { toLookUp } from '../../../src/registries/provenance.ts'
import type { Answer, RegistryRecord } from '../../../src/registries/registry.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'

const seed = testSeed()
t.comment(`DOCKET_TEST_SEED=${seed}`)

const GIVEN = { registry: 'table', asOf: '2026-11-30', fetchedAt: '2026-11-30T10:00:00.000Z', fromCache: false }

function anyRecord(random: Random, value: string): RegistryRecord {
  const all: [string, Json][] = [
    ['parcelId', random.pick([value, value, value, 'OTHER'])],
    ['zoningCode', random.pick<Json>(['R-1', 'C-2', null])],
    ['siteAddress', random.pick<Json>(['1 Elm St', value, null])],
    ['retired', random.pick<Json>([false, false, false, true])],
    ['equivalents', random.pick<Json>([null, null, ['22-9']])],
    ['ownerName', null]
  ]
  return Object.fromEntries(all.filter(() => random.below(12) > 0))
}

function anyLookUp(random: Random, value: string): Resolved {
  const key = random.below(8) === 0 ? `${value}/2` : value
  const given = random.below(8) === 0 ? { ...GIVEN, fromCache: true } : GIVEN
  const kind = random.pick(['match', 'match', 'match', 'match', 'stale', 'no_match', 'several', 'unavailable'] as const)
  if (kind === 'unavailable') return { key, answer: { kind, code: 'timeout' } }
  const record = anyRecord(random, value)
  const answers: Record<string, Answer> = {
    no_match: { kind: 'no_match' },
    several: { kind: 'several', candidates: [record, anyRecord(random, value)] }
  }
  const match: Answer = { kind: 'match', value: record, ...(random.below(8) === 0 ? { asOf: '2020-01-01' } : {}) }
  const lookUp = toLookUp(key, answers[kind] ?? match, given)
  return { key, answer: kind === 'stale' && lookUp.kind === 'match' ? { ...lookUp, kind } : lookUp }
}

/** What the answer says of itself, told in full. */
function inFull(value: string, { key, answer }: Resolved): Record<string, unknown> {
  const asked = key === value ? {} : { key }
  if (answer.kind === 'unavailable') return { ...asked, kind: answer.kind, code: answer.code }
  const { registry, asOf, fetchedAt, fromCache } = answer.provenance
  const source = { registry, as_of: asOf, fetched_at: fetchedAt, from_cache: fromCache }
  const told = Object.entries(answer).filter(([name]) => name !== 'provenance')
  return { ...asked, ...Object.fromEntries(told), ...source }
}

t.test('whatever was answered is read again as it was', async t => {
  const random = new Random(seed)
  for (let round = 0; round < 300; round++) {
    const values = Array.from({ length: 1 + random.below(12) }, () =>
      random.pick(['22-1', '1000000001', '"é"', 'a b', '__proto__', '7', '22-2', '22-3'])
    )
    const resolved = new Map(values.map(value => [value, anyLookUp(random, value)]))
    const kept = keptAnswers(
      new Map([
        ['parcel', resolved],
        ['zoning', resolved]
      ])
    )
    if (kept === null) throw new Error('nothing was kept')
    for (const [value, found] of resolved) {
      t.strictSame(answerIn(kept.text, 'parcel', value), inFull(value, found))
      t.strictSame(answerIn(kept.text, 'zoning', value), inFull(value, found))
    }
    t.equal(createHash('sha256').update(kept.text).digest('hex'), kept.digest)
    t.equal(answerIn(kept.text, 'parcel', 'never asked'), undefined)
    t.equal(answerIn(kept.text, 'property', '22-1'), undefined)
  }
})

t.test('answers kept before they were told as lists are read as well', async t => {
  const source = { registry: 'table', as_of: '2026-11-30', fetched_at: '2026-11-30T10:00:00.000Z', from_cache: false }
  const text = JSON.stringify({
    parcel: {
      '22-1': { kind: 'match', value: { zoningCode: 'R-1' } },
      '22-2': { kind: 'unavailable', code: 'timeout' }
    },
    sources: { parcel: source }
  })
  t.strictSame(answerIn(text, 'parcel', '22-1'), { ...source, kind: 'match', value: { zoningCode: 'R-1' } })
  t.strictSame(answerIn(text, 'parcel', '22-2'), { kind: 'unavailable', code: 'timeout' })
})

t.test('matches that are alike take little room', async t => {
  const resolved = new Map(
    Array.from({ length: 500 }, (_, i): [string, Resolved] => {
      const key = String(1_000_000_000 + i)
      const value = {
        parcelId: key,
        zoningCode: 'R-1',
        siteAddress: `${i} Elm St`,
        ownerName: null,
        retired: false,
        equivalents: null
      }
      return [key, { key, answer: toLookUp(key, { kind: 'match', value }, GIVEN) }]
    })
  )
  const { text = '' } = keptAnswers(new Map([['parcel', resolved]])) ?? {}
  t.ok(text.length < 500 * 40, `${text.length} characters`)
})
