import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import type { Candidate, PlainReading } from '../../profiles/candidate.ts'
import { isUsualFromRegistry, type StoredEnvelope } from '../../profiles/judge/compact-fields.ts'
import type { Profile } from '../../profiles/profile.ts'
import { recordOf } from '../../profiles/shaped-record.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, NOTHING } from './addition.ts'
import { EXTRA } from './plain-enrichment.ts'

const merged = (candidate: Candidate, additions: readonly Addition[]): Candidate => ({
  ...candidate,
  fields: Object.assign({}, candidate.fields, ...additions.map(addition => addition.fields)) as Candidate['fields'],
  reasons: [...candidate.reasons, ...additions.flatMap(addition => addition.reasons)]
})

/** What is stored of values that a registry gave otherwise than their fields say; nearly always nothing. */
function unusualOf(
  profile: Profile,
  names: readonly string[],
  envelopes: readonly Envelope[],
  record: Readonly<Record<string, Json>>
): Readonly<Record<string, StoredEnvelope>> {
  const stored: Record<string, StoredEnvelope> = {}
  envelopes.forEach((envelope, i) => {
    const name = names[i] ?? ''
    if (isUsualFromRegistry(profile, name, envelope, record)) return
    // That nothing was read is told where the value would be taken for one of the row.
    const keyField = profile.fields[name]?.registry?.keyField
    const isTold = keyField !== undefined && typeof record[keyField] === 'string'
    stored[name] = isTold ? { origin: envelope.origin } : { raw: null, origin: envelope.origin }
  })
  return stored
}

/** The plain reading with what registries add to it; null when that gives it something to tell. */
function plainWith(
  profile: Profile,
  { values: before, stored: kept }: PlainReading,
  additions: readonly Addition[]
): PlainReading | null {
  const names: string[] = []
  const values: Json[] = []
  for (const name in before) {
    if (name === EXTRA) continue
    names.push(name)
    values.push(before[name] as Json)
  }
  const own = names.length
  const added: Envelope[] = []
  for (const { fields, reasons } of additions) {
    if (reasons.length > 0) return null
    for (const name in fields) {
      const envelope = fields[name]
      // A field of the row itself comes back only when it is contradicted.
      if (envelope?.status !== 'found' || envelope.value === null || names.includes(name)) return null
      names.push(name)
      values.push(envelope.value)
      added.push(envelope)
    }
  }
  const ofRegistries = names.slice(own)
  if (before[EXTRA] !== undefined) {
    names.push(EXTRA)
    values.push(before[EXTRA])
  }
  const record = recordOf(names, values)
  return { values: record, stored: { ...kept, ...unusualOf(profile, ofRegistries, added, record) } }
}

/** A draft with what registries add. Its envelopes are made when somebody asks for them. */
class EnrichedDraft implements Draft {
  readonly item: number
  readonly line: number | null
  readonly idempotencyKey: string
  readonly diagnostic: Json
  readonly plain: PlainReading | null
  readonly #draft: Draft
  readonly #additions: () => readonly Addition[]
  #candidate: Candidate | null = null

  constructor(draft: Draft, plain: PlainReading | null, additions: () => readonly Addition[]) {
    this.item = draft.item
    this.line = draft.line
    this.idempotencyKey = draft.idempotencyKey
    this.diagnostic = draft.diagnostic
    this.plain = plain
    this.#draft = draft
    this.#additions = additions
  }

  get candidate(): Candidate {
    this.#candidate ??= merged(this.#draft.candidate, this.#additions())
    return this.#candidate
  }
}

/** Adds what registries tell of a record. One that had nothing to tell and agrees with them has nothing to tell still. */
export function withAdditions(profile: Profile, draft: Draft, additions: readonly Addition[]): Draft {
  const told = additions.filter(addition => addition !== NOTHING)
  if (told.length === 0) return draft
  return new EnrichedDraft(draft, draft.plain ? plainWith(profile, draft.plain, told) : null, () => told)
}

/** The same without additions, where `plain` tells what they come to: they are made when its envelopes are asked for. */
export const withPlain = (draft: Draft, plain: PlainReading, additions: () => readonly Addition[]): Draft =>
  new EnrichedDraft(draft, plain, additions)
