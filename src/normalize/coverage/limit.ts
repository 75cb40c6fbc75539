import type { ReadingContext } from '../../model/reading.ts'
import { readMoney } from '../money.ts'
import { MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort, foldText } from '../text.ts'

/** What a limit is when it is not a number; never 0. */
export type LimitType =
  | 'amount'
  | 'statutory'
  | 'included'
  | 'excluded'
  | 'not_covered'
  | 'declined'
  | 'rejected'
  | 'waived'
  | 'not_stated'
  | 'actual_loss_sustained'
  | 'unlimited'
  | 'see_schedule'
  | 'unreadable'

/** One limit of a coverage. */
export interface Limit {
  readonly type: LimitType
  /** Whole units of money as decimal text with two decimals, only for `amount`. */
  readonly amount: string | null
  readonly appliesTo: string | null
  readonly months?: number
}

export interface LimitReading {
  readonly limits: readonly Limit[]
  readonly flags: readonly string[]
}

const WORDED: readonly (readonly [RegExp, LimitType])[] = [
  [/^statutory/i, 'statutory'],
  [/^incl(?:uded|\.)?$/i, 'included'],
  [/^excl(?:uded|\.)?$/i, 'excluded'],
  [/^not covered$/i, 'not_covered'],
  [/^declined$/i, 'declined'],
  [/^rejected$/i, 'rejected'],
  [/^waived$/i, 'waived'],
  [/^unlimited$/i, 'unlimited'],
  [/^(?:see|per) schedule$/i, 'see_schedule'],
  [/^(?:als|actual loss sustained)/i, 'actual_loss_sustained'],
  [/^(?:-*|—|–|n\/a)$/i, 'not_stated']
]
const APPLIES: readonly (readonly [RegExp, string])[] = [
  [/(?:general )?aggregate/i, 'general_aggregate'],
  [/each occurrence|per occurrence/i, 'per_occurrence'],
  [/disease ?-? ?policy(?: limit)?/i, 'disease_policy'],
  [/disease ?-? ?each employee/i, 'disease_employee'],
  [/each accident/i, 'each_accident'],
  [/each person|any one person|per person/i, 'per_person'],
  [/\bcsl\b|combined single limit/i, 'csl']
]
/** Split limits of automobile liability, in the order they are always printed. */
const AUTO_SPLIT = ['bi_per_person', 'bi_per_accident', 'pd_per_accident'] as const
const GENERAL_SPLIT = ['per_occurrence', 'general_aggregate'] as const
/** Bare figures up to this in split and single automobile limits are thousands. */
const LARGEST_THOUSANDS = /^\d{2,3}$/

/** Reads limits as printed: amounts with what they apply to, split limits, and the words that are not amounts. */
export function readLimit(raw: string, context: ReadingContext): LimitReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  const worded = WORDED.find(([pattern]) => pattern.test(text))
  if (worded) return { limits: [wordedLimit(text, worded[1])], flags: [] }
  const parts = text.split(/ ?\/ ?/)
  if (parts.length === 1) return collect([readPart(text, null, context)])
  const hasWords = parts.every(part => APPLIES.some(([pattern]) => pattern.test(part)))
  if (hasWords) return collect(parts.map(part => readPart(part, null, context)))
  const names = parts.length === 3 ? AUTO_SPLIT : GENERAL_SPLIT
  if (parts.length > 3) return { limits: [unreadable()], flags: ['FIELD_INVALID'] }
  return collect(parts.map((part, index) => readPart(part, names[index] ?? null, context, parts.length === 3)))
}

interface ReadPart {
  readonly limit: Limit
  readonly flags: readonly string[]
}

function readPart(text: string, name: string | null, context: ReadingContext, isAuto = false): ReadPart {
  const applies = APPLIES.find(([pattern]) => pattern.test(text))
  const figure = applies ? foldText(text.replace(applies[0], '').replace(/-$/, '')) : text
  const isThousands = (isAuto || applies?.[1] === 'csl') && LARGEST_THOUSANDS.test(figure)
  const reading = readMoney(isThousands ? `${figure}K` : figure, { ...context, decimal: context.decimal ?? '.' })
  if (reading.value === null) return { limit: unreadable(), flags: reading.flags }
  const flags = isThousands ? ['THOUSANDS_IMPLIED'] : reading.flags
  return { limit: { type: 'amount', amount: reading.value, appliesTo: applies?.[1] ?? name }, flags }
}

function collect(parts: readonly ReadPart[]): LimitReading {
  return { limits: parts.map(part => part.limit), flags: [...new Set(parts.flatMap(part => part.flags))] }
}

function wordedLimit(text: string, type: LimitType): Limit {
  const months = type === 'actual_loss_sustained' ? /(\d{1,3}) months/i.exec(text)?.[1] : undefined
  const limit = { type, amount: null, appliesTo: null }
  return months === undefined ? limit : { ...limit, months: Number(months) }
}

function unreadable(): Limit {
  return { type: 'unreadable', amount: null, appliesTo: null }
}
