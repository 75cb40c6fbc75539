import type { Json } from '../../model/json.ts'
import type { PlainReading } from '../../profiles/candidate.ts'
import type { Profile } from '../../profiles/profile.ts'
import { recordOf } from '../../profiles/shaped-record.ts'
import type { FeeSchedule } from '../../registries/fees/schedule.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { FEE_FIELDS, plainFee } from './add-fee.ts'
import { differencesOf } from './add-parcel.ts'
import { ORIGIN_OF } from './addition.ts'
import type { Resolved } from './resolve.ts'

/** What registries have found for a draft; a kind that is not asked for it is left out. */
export interface Found {
  readonly parcel: Resolved | undefined
  readonly zoning: Resolved | undefined
  readonly property: Resolved | undefined
  /** Whether there is a registry of fees; without `schedules` it did not answer. */
  readonly hasFees: boolean
  readonly schedules: readonly FeeSchedule[] | undefined
  /** The day of receipt, `YYYY-MM-DD`. */
  readonly received: string
}

/** Content of no field, which stands last. */
export const EXTRA = 'extra'

const usual = new WeakMap<Profile, boolean>()

/** Whether the profile takes zoning from the parcel's registry and fees from the schedule they name: nothing is stored of that. */
function isUsual(profile: Profile): boolean {
  let known = usual.get(profile)
  if (known === undefined) {
    const isFrom = (name: string, registry: string, keyField: string): boolean => {
      const from = profile.fields[name]?.registry
      return from?.name === registry && from.keyField === keyField
    }
    known =
      isFrom('zoning_code', ORIGIN_OF.parcel, 'parcel_id') &&
      FEE_FIELDS.every(name => isFrom(name, ORIGIN_OF.feeSchedule, 'fee_schedule_id'))
    usual.set(profile, known)
  }
  return known
}

/** The district of a parcel that was found by the record's own number and agrees with it; null: there is more to tell. */
function plainZoning(draft: Draft, { key, answer }: Resolved, number: Json | undefined): string | null {
  if (answer.kind !== 'match' || key !== number || answer.value['retired'] === true) return null
  const { zoningCode } = answer.value
  return typeof zoningCode === 'string' && differencesOf(draft, answer.value).length === 0 ? zoningCode : null
}

const ADDED: readonly string[] = ['zoning_code', ...FEE_FIELDS]

/** A record that is being added to by names written here, which keeps it quick however many members it has. */
interface Growing {
  [name: string]: Json
  zoning_code?: Json
  fee_cents?: Json
  fee_lines?: Json
  fee_schedule_id?: Json
  extra?: Json
}

/** A copy, without content of no field: that comes last again. */
function withoutExtra(before: PlainReading['values']): Growing {
  if (before[EXTRA] === undefined) return { ...before }
  const names = Object.keys(before).filter(name => name !== EXTRA)
  return recordOf(
    names,
    names.map(name => before[name] as Json)
  )
}

/**
 * The plain reading with what registries add, where they agree with it and there is nothing to tell of that: as the additions
 * come to, without making them. Null says nothing: it is to be done by additions.
 */
export function enrichPlain(
  profile: Profile,
  draft: Draft,
  { values: before, stored }: PlainReading,
  found: Found
): PlainReading | null {
  if (found.zoning !== undefined || found.property !== undefined || !isUsual(profile)) return null
  if (ADDED.some(name => before[name] !== undefined)) return null
  const record = withoutExtra(before)
  if (found.parcel !== undefined) {
    const zoning = plainZoning(draft, found.parcel, before['parcel_id'])
    if (zoning === null) return null
    record.zoning_code = zoning
  }
  if (found.hasFees) {
    const fee = plainFee(draft, found.schedules, found.received)
    if (fee === null) return null
    record.fee_cents = fee.cents
    record.fee_lines = fee.lines
    record.fee_schedule_id = fee.id
  }
  if (before[EXTRA] !== undefined) record.extra = before[EXTRA]
  return { values: record, stored }
}
