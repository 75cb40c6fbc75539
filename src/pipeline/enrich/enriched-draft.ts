import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import type { Candidate, PlainReading } from '../../profiles/candidate.ts'
import { isUsualFromRegistry, type StoredEnvelope } from '../../profiles/judge/compact-fields.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, NOTHING } from './addition.ts'

const merged = (candidate: Candidate, additions: readonly Addition[]): Candidate => ({
  ...candidate,
  fields: Object.assign({}, candidate.fields, ...additions.map(addition => addition.fields)) as Candidate['fields'],
  reasons: [...candidate.reasons, ...additions.flatMap(addition => addition.reasons)]
})

/** The plain reading with what registries add to it; null when that gives it something to tell. */
function plainWith(
  profile: Profile,
  { values: before, stored: kept }: PlainReading,
  additions: readonly Addition[]
): PlainReading | null {
  const { extra, ...values } = before as Record<string, Json>
  const added: (readonly [string, Envelope])[] = []
  for (const { fields, reasons } of additions) {
    if (reasons.length > 0) return null
    for (const name in fields) {
      const envelope = fields[name]
      // A field of the row itself comes back only when it is contradicted.
      if (envelope?.status !== 'found' || envelope.value === null || Object.hasOwn(values, name)) return null
      values[name] = envelope.value
      added.push([name, envelope])
    }
  }
  const unusual = added.filter(([name, envelope]) => !isUsualFromRegistry(profile, name, envelope, of => values[of]))
  const stored: Record<string, StoredEnvelope> = { ...kept }
  for (const [name, { origin }] of unusual) stored[name] = { raw: null, origin }
  if (extra !== undefined) values['extra'] = extra
  return { values, stored }
}

/** A draft with what registries add. Its envelopes are made when somebody asks for them. */
class EnrichedDraft implements Draft {
  readonly item: number
  readonly line: number | null
  readonly idempotencyKey: string
  readonly diagnostic: Json
  readonly plain: PlainReading | null
  readonly #draft: Draft
  readonly #additions: readonly Addition[]
  #candidate: Candidate | null = null

  constructor(profile: Profile, draft: Draft, additions: readonly Addition[]) {
    this.item = draft.item
    this.line = draft.line
    this.idempotencyKey = draft.idempotencyKey
    this.diagnostic = draft.diagnostic
    this.plain = draft.plain ? plainWith(profile, draft.plain, additions) : null
    this.#draft = draft
    this.#additions = additions
  }

  get candidate(): Candidate {
    this.#candidate ??= merged(this.#draft.candidate, this.#additions)
    return this.#candidate
  }
}

/** Adds what registries tell of a record. One that had nothing to tell and agrees with them has nothing to tell still. */
export function withAdditions(profile: Profile, draft: Draft, additions: readonly Addition[]): Draft {
  const told = additions.filter(addition => addition !== NOTHING)
  return told.length === 0 ? draft : new EnrichedDraft(profile, draft, told)
}
