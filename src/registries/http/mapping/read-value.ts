import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'
import { readDate } from './dates.ts'
import type { FieldRule, KeyRule, ValueType } from './rules.ts'

/** An attribute of a row by its name; undefined when the answer has none such, null when it is empty. */
export type Get<Row> = (row: Row, from: string) => Json | undefined

/** The registry's columns are not what they were when it was configured. Nothing is read past that. */
const drift = (code: 'field_missing' | 'type_drift'): RegistryFault => new RegistryFault('configuration', code)

const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/
const MOST_DIGITS = 15

/** A number as it was written; undefined when it has more digits than a double keeps. */
function decimalOf(value: number | string): string | undefined {
  const text = String(value).trim()
  return NUMBER.test(text) && text.replace(/\D/g, '').length <= MOST_DIGITS ? text : undefined
}

function integerOf(value: number | string): string | undefined {
  const [whole = '', fraction = ''] = decimalOf(value)?.split('.') ?? []
  return whole !== '' && /^0*$/.test(fraction) ? whole : undefined
}

const isNumberOrText = (value: Json): value is number | string => typeof value === 'number' || typeof value === 'string'

const isTextList = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.every(element => typeof element === 'string')

type Rule = Exclude<FieldRule, string> & { readonly as: ValueType }

function listOf(value: Json, { split }: Rule): Json | undefined {
  const parts = typeof value === 'string' ? (split === undefined ? [value] : value.split(split)) : value
  return isTextList(parts) ? parts.map(part => part.trim()).filter(part => part !== '') : undefined
}

function flagOf(value: Json, { trueWhen }: Rule): Json | undefined {
  if (typeof value === 'boolean') return value
  if (trueWhen === undefined || !isNumberOrText(value)) return undefined
  return trueWhen.includes(String(value).trim())
}

const textOf = (value: Json): string | undefined => (typeof value === 'string' ? value.trim() : undefined)

function dateOf(value: Json): string | undefined {
  if (!isNumberOrText(value)) return undefined
  return readDate(typeof value === 'string' ? value.trim() : value)
}

/** Undefined: the value is not of the type that was configured. */
const CONVERT: Readonly<Record<Rule['as'], (value: Json, rule: Rule) => Json | undefined>> = {
  text: textOf,
  integer: value => (isNumberOrText(value) ? integerOf(value) : undefined),
  decimal: value => (isNumberOrText(value) ? decimalOf(value) : undefined),
  date: dateOf,
  flag: flagOf,
  list: listOf,
  json: value => value
}

/** Blanks are how many registries write nothing. */
const isEmpty = (value: Json): boolean => value === null || (typeof value === 'string' && value.trim() === '')

function present<Row>(row: Row, from: string, get: Get<Row>, optional: boolean): Json {
  const value = get(row, from)
  if (value === undefined && !optional) throw drift('field_missing')
  return value === undefined || isEmpty(value) ? null : value
}

const ruleOf = (rule: FieldRule, type: ValueType): Rule =>
  typeof rule === 'string' ? { from: rule, as: type, join: ' ', optional: false } : { ...rule, as: rule.as ?? type }

/**
 * One value of a record, null when the registry tells none. Numbers become decimal text. Throws `RegistryFault` of
 * configuration when an attribute is gone or its type is another than configured.
 */
export function readValue<Row>(row: Row, rule: FieldRule, get: Get<Row>, type: ValueType = 'text'): Json {
  const full = ruleOf(rule, type)
  const names = typeof full.from === 'string' ? [full.from] : full.from
  const values = names.map(from => present(row, from, get, full.optional)).filter(value => value !== null)
  const converted = values.map(value => {
    const one = CONVERT[full.as](value, full)
    if (one === undefined) throw drift('type_drift')
    return one
  })
  if (converted.length <= 1) return converted[0] ?? null
  return full.as === 'list' ? converted.flat() : converted.filter(one => typeof one === 'string').join(full.join)
}

/**
 * The key a row is about, without blanks around it; null when it has none. Throws like `readValue`: a column of text that
 * has become one of numbers has lost its leading zeros.
 */
export function readKey<Row>(row: Row, { from, as, width }: KeyRule, get: Get<Row>): string | null {
  const value = present(row, from, get, false)
  if (value === null) return null
  const text = as === 'integer' ? (isNumberOrText(value) ? integerOf(value) : undefined) : value
  if (typeof text !== 'string') throw drift('type_drift')
  return as === 'integer' ? text.padStart(width ?? 0, '0') : text.trim()
}

/** Whether a key can stand in a registry at all; one that cannot is found in none, and is not sent. */
export function isAskable(key: string, { as, width }: KeyRule): boolean {
  if (key === '' || key.length > 100 || key !== key.trim() || !key.isWellFormed() || /\p{C}/u.test(key)) return false
  if (as === 'text') return true
  if (!/^\d{1,15}$/.test(key)) return false
  return width === undefined
    ? key === '0' || !key.startsWith('0')
    : key.length === width || (key.length > width && !key.startsWith('0'))
}
