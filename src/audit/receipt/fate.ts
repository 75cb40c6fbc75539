import type { Json } from '../../model/json.ts'
import { NEUTRAL_TRANSITIONS, RECORD_STATES, type RecordState } from '../../model/states.ts'

/** What became of a record, as its audit entries tell it. */
export interface Fate {
  readonly state: RecordState | null
  /** Reason codes. Of a record that ended as another did, they are told by that one's entries. */
  readonly codes: readonly string[]
  /** Hex. */
  readonly key: string | null
  readonly duplicateOf: string | null
  readonly follows: string | null
  readonly replacedBy: string | null
  readonly erasedAt: string | null
}

/** Members of an entry that tell of a record's fate. */
export interface ToldEntry {
  readonly detail?: { readonly [name: string]: Json }
  readonly idempotency_key?: string
  readonly reasons: readonly string[]
  readonly transitions: readonly (readonly [string, string])[]
}

const UNKNOWN: Fate = {
  state: null,
  codes: [],
  key: null,
  duplicateOf: null,
  follows: null,
  replacedBy: null,
  erasedAt: null
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

function take(fate: Fate, entry: ToldEntry): Fate {
  const { detail = {}, transitions, reasons, idempotency_key: key = fate.key } = entry
  const erased = transitions.find(([transition]) => transition === 'erased')
  // An erasure changes nothing of how the record ended.
  if (erased) return { ...fate, key, erasedAt: fate.erasedAt ?? erased[1] }
  const state = RECORD_STATES.find(one => one === transitions.findLast(([name]) => !NEUTRAL_TRANSITIONS.has(name))?.[0])
  if (state === undefined) return { ...fate, key }
  return {
    state,
    codes: reasons,
    key,
    duplicateOf: textOf(detail['duplicate_of']),
    follows: textOf(detail['follows']),
    replacedBy: textOf(detail['replaced_by']),
    erasedAt: fate.erasedAt
  }
}

/** The fate that a chain of entries tells of, from its first to its last. */
export const fateOf = (entries: readonly ToldEntry[]): Fate => entries.reduce(take, UNKNOWN)
