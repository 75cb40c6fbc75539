import type { RawRow, RawValue } from '../../model/rows.ts'
import { dateEvidence } from '../../normalize/date.ts'
import { decimalEvidence } from '../../normalize/money.ts'
import type { Profile } from '../profile.ts'
import { expandRow } from './expand-row.ts'
import { columnKinds, MappingCache, mapColumns } from './map-columns.ts'
import type { ColumnEvidence, SourceOptions } from './source-options.ts'

interface Proofs {
  readonly dateOrders: Set<'mdy' | 'dmy'>
  readonly decimals: Set<'.' | ','>
}

/** Gathers what the columns of one file prove about their cells. */
export interface EvidenceCollector {
  add(row: RawRow): void
  /** Plain data. A column whose cells prove both readings proves neither. */
  result(): ColumnEvidence
  /** What was seen so far, as plain data from which gathering goes on after an interruption. */
  state(): EvidenceState
}

/** Per column name, the orders and decimal signs its cells have proven so far. */
export type EvidenceState = readonly (readonly [string, readonly ('mdy' | 'dmy')[], readonly ('.' | ',')[]])[]

const only = <T>(proofs: ReadonlySet<T>): T | undefined => (proofs.size === 1 ? [...proofs][0] : undefined)

function conclude(name: string, proofs: Proofs): ColumnEvidence['columns'] {
  const dateOrder = only(proofs.dateOrders)
  const decimal = only(proofs.decimals)
  if (dateOrder === undefined && decimal === undefined) return []
  return [{ name, ...(dateOrder === undefined ? {} : { dateOrder }), ...(decimal === undefined ? {} : { decimal }) }]
}

/** Starts gathering for one file, or goes on from `seen`. Rows with a fault prove nothing. */
export function gatherEvidence(
  profile: Profile,
  overrides?: SourceOptions['columns'],
  seen: EvidenceState = []
): EvidenceCollector {
  const kinds = new MappingCache(names => columnKinds(mapColumns(profile, names, overrides)))
  const byName = new Map<string, Proofs>(
    seen.map(([name, orders, decimals]) => [name, { dateOrders: new Set(orders), decimals: new Set(decimals) }])
  )
  const proofsOf = (name: string): Proofs => {
    const proofs = byName.get(name) ?? { dateOrders: new Set(), decimals: new Set() }
    byName.set(name, proofs)
    return proofs
  }
  const addDate = (name: string, value: RawValue | undefined): void => {
    const order = typeof value === 'string' ? dateEvidence(value) : null
    if (order === 'mdy' || order === 'dmy') proofsOf(name).dateOrders.add(order)
  }
  const addNumber = (name: string, value: RawValue | undefined): void => {
    const decimal = typeof value === 'string' ? decimalEvidence(value) : null
    if (decimal !== null) proofsOf(name).decimals.add(decimal)
  }
  return {
    add(row) {
      if (row.fault !== undefined) return
      const { names, values } = expandRow(profile, row)
      const { dates, numbers } = kinds.get(names)
      for (const at of dates) addDate(names[at] ?? '', values[at])
      for (const at of numbers) addNumber(names[at] ?? '', values[at])
    },
    state: () => [...byName].map(([name, proofs]) => [name, [...proofs.dateOrders], [...proofs.decimals]] as const),
    result: () => ({ columns: [...byName].flatMap(([name, proofs]) => conclude(name, proofs)) })
  }
}
