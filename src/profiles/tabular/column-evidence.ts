import type { RawRow, RawValue } from '../../model/rows.ts'
import type { Profile } from '../profile.ts'
import { ColumnProofs, concludeColumn, type StoredProofs, savedProofs, storedProofs } from './column-proofs.ts'
import { expandRow, namedColumns } from './expand-row.ts'
import { type ColumnKinds, columnKinds, MappingCache, mapColumns } from './map-columns.ts'
import type { ColumnEvidence, SourceOptions } from './source-options.ts'

/** Gathers what the columns of one file prove about their cells. */
export interface EvidenceCollector {
  add(row: RawRow): void
  /** Plain data. A column whose cells prove both readings proves neither. */
  result(): ColumnEvidence
  /** What was seen so far, as plain data from which gathering goes on after an interruption. */
  state(): EvidenceState
}

/** Per column name, what its cells have proven so far. */
export type EvidenceState = readonly StoredProofs[]

/** Records of JSON may each have names of their own; of columns that no field has, so many are watched. */
const MAX_OTHERS = 1000

class Evidence implements EvidenceCollector {
  readonly #profile: Profile
  readonly #named: ReadonlySet<string>
  readonly #kinds: MappingCache<ColumnKinds>
  readonly #byName: Map<string, ColumnProofs>

  constructor(profile: Profile, overrides: SourceOptions['columns'], seen: EvidenceState) {
    this.#profile = profile
    this.#named = namedColumns(overrides === undefined ? undefined : { columns: overrides })
    this.#kinds = new MappingCache(names =>
      columnKinds(mapColumns(profile, names, overrides === undefined ? {} : { overrides }))
    )
    this.#byName = new Map(seen.map(stored => [stored[0], savedProofs(stored)]))
  }

  add(row: RawRow): void {
    if (row.fault !== undefined) return
    const { names, values } = expandRow(this.#profile, row, this.#named)
    const { dates, numbers, hinted, others } = this.#kinds.get(names)
    const isDated = (at: number): boolean => row.dated?.includes(at) ?? false
    for (const at of dates) this.#of(names[at])?.addDate(values[at], isDated(at))
    for (const at of numbers) this.#of(names[at])?.addNumber(values[at])
    for (const at of hinted) this.#of(names[at])?.addHinted(values[at], isDated(at))
    for (const at of others) {
      const value = values[at]
      if (mayProve(value)) this.#of(names[at], MAX_OTHERS)?.addOther(value)
    }
  }

  state(): EvidenceState {
    return [...this.#byName].map(([name, proofs]) => storedProofs(name, proofs))
  }

  result(): ColumnEvidence {
    return { columns: [...this.#byName].flatMap(([name, proofs]) => concludeColumn(name, proofs)) }
  }

  #of(name = '', limit = Number.POSITIVE_INFINITY): ColumnProofs | undefined {
    let proofs = this.#byName.get(name)
    if (proofs === undefined && this.#byName.size < limit) {
      proofs = new ColumnProofs()
      this.#byName.set(name, proofs)
    }
    return proofs
  }
}

/** A short cell that begins like a date or an amount; tells most text apart without taking it apart. */
function mayProve(value: RawValue | undefined): value is string {
  if (typeof value !== 'string' || value.length < 3 || value.length > 30) return false
  const code = value.charCodeAt(0)
  return (code >= 0x30 && code <= 0x39) || code === 0x24 || code === 0x28
}

/** Starts gathering for one file, or goes on from `seen`. Rows with a fault prove nothing. */
export function gatherEvidence(
  profile: Profile,
  overrides?: SourceOptions['columns'],
  seen: EvidenceState = []
): EvidenceCollector {
  return new Evidence(profile, overrides, seen)
}
