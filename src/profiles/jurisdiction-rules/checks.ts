import { daysBetween } from '../../model/calendar.ts'
import type { Envelope, Fields } from '../../model/envelope.ts'
import { type Reason, type ReasonCode, reasonOf } from '../../model/reasons.ts'
import { compareDecimals, parseDecimal } from '../../normalize/amounts/decimal.ts'
import { conditionOf, listOf, patternsOf, wordOf } from './conditions.ts'
import type { RuleVersion } from './schema.ts'

/** One check of a record that came on a day, `YYYY-MM-DD`. */
export type Check = (fields: Fields, received: string) => Reason | null

interface Found {
  readonly code: ReasonCode
  readonly field: string
  readonly severity: 'block' | 'warn'
}

const reason = ({ code, field, severity }: Found, fields: Fields, detail?: string): Reason =>
  reasonOf(code, {
    field,
    severity,
    origin: fields[field]?.origin ?? null,
    ...(detail === undefined ? {} : { detail })
  })

const hasValue = (envelope: Envelope | undefined): envelope is Envelope =>
  envelope !== undefined && envelope.value !== null && envelope.value !== ''

type Entry<K extends 'required' | 'values' | 'ranges' | 'zoning' | 'expiry'> = RuleVersion[K][number]

function requiredCheck({ field, when, severity }: Entry<'required'>): Check {
  const holds = conditionOf(when)
  const found: Found = { code: 'STATUTORY_FIELD_MISSING', field, severity }
  return fields => (hasValue(fields[field]) || !holds(fields) ? null : reason(found, fields))
}

/** What a rule lists, or how much where that is long. */
function toldOf(name: 'allowed' | 'prohibited', words: readonly string[]): string {
  const text = words.join(', ')
  return `${name}: ${text.length <= 200 ? text : `${words.length} values`}`
}

function valuesCheck({ field, allowed, when, severity }: Entry<'values'>): Check {
  const [holds, isAllowed] = [conditionOf(when), listOf(allowed)]
  const found: Found = { code: 'VALUE_NOT_ALLOWED', field, severity }
  const told = toldOf('allowed', allowed)
  return fields => {
    const word = wordOf(fields[field]?.value)
    return word === null || isAllowed(word) || !holds(fields) ? null : reason(found, fields, told)
  }
}

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/

function rangeCheck({ field, min, max, when, severity }: Entry<'ranges'>): Check {
  const holds = conditionOf(when)
  const [least, most] = [min, max].map(limit => (limit === undefined ? null : parseDecimal(limit)))
  const found: Found = { code: 'OUTSIDE_LIMITS', field, severity }
  const limits = [min === undefined ? [] : [`at least ${min}`], max === undefined ? [] : [`at most ${max}`]]
    .flat()
    .join(', ')
  return fields => {
    const value = fields[field]?.value
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || !DECIMAL.test(text) || !holds(fields)) return null
    const number = parseDecimal(text)
    const isInside = !(least && compareDecimals(number, least) < 0) && !(most && compareDecimals(number, most) > 0)
    return isInside ? null : reason(found, fields, limits)
  }
}

/** The zoning district of the parcel's registry against what the permit is for; without a district nothing can be told. */
function zoningCheck({ allowed, prohibited, when, absent }: Entry<'zoning'>): Check {
  const holds = conditionOf(when)
  const isListed = patternsOf(allowed ?? prohibited ?? [])
  const field = 'zoning_code'
  const told = allowed ? toldOf('allowed', allowed) : toldOf('prohibited', prohibited ?? [])
  const detail = when ? `${told}, by ${when.field}` : told
  return fields => {
    if (!holds(fields)) return null
    const zone = wordOf(fields[field]?.value)
    if (zone === null) {
      if (absent === 'skip') return null
      return reason({ code: 'STATUTORY_FIELD_MISSING', field, severity: 'block' }, fields)
    }
    if (isListed(zone) === (allowed !== undefined)) return null
    return reason({ code: 'ZONING_CONFLICT', field, severity: 'block' }, fields, detail)
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function expiryCheck({ field, days, when, severity }: Entry<'expiry'>): Check {
  const holds = conditionOf(when)
  const found: Found = { code: 'APPLICATION_EXPIRED', field, severity }
  return (fields, received) => {
    const value = fields[field]?.value
    if (typeof value !== 'string' || !DAY.test(value) || !holds(fields)) return null
    return daysBetween(value, received) <= days ? null : reason(found, fields, `more than ${days} days`)
  }
}

/** The checks of rules in force, in the order in which their reasons are told. */
export function checksOf(version: RuleVersion): readonly Check[] {
  return [
    ...version.required.map(requiredCheck),
    ...version.values.map(valuesCheck),
    ...version.ranges.map(rangeCheck),
    ...version.zoning.map(zoningCheck),
    ...version.expiry.map(expiryCheck)
  ]
}
