import { z } from 'zod'
import { HOLIDAY_CALENDARS } from './holidays.ts'

const day = z.iso.date('expected a day as YYYY-MM-DD')
const field = z.string().min(1).max(63)
const words = z.array(z.string().min(1).max(200)).min(1).max(2000)
const AMOUNT_EXPECTED = 'expected a number in quotes, such as "5000" or "0.5"'
const amount = z.string(AMOUNT_EXPECTED).regex(/^-?\d{1,18}(?:\.\d{1,6})?$/, AMOUNT_EXPECTED)
const severity = z.enum(['block', 'warn']).default('block')
const days = z.int().min(1).max(3650)

/** For which records something holds: those whose field has one of these values; a record without the field is not one. */
const when = z.strictObject({ field, in: words }).optional()

const required = z.preprocess(
  entry => (typeof entry === 'string' ? { field: entry } : entry),
  z.strictObject({ field, when, severity })
)
const values = z.strictObject({ field, allowed: words, when, severity })
const mapping = z.strictObject({ field, values: z.record(z.string(), words) })
const range = z
  .strictObject({ field, min: amount.optional(), max: amount.optional(), when, severity })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'expected min, max or both')
const zoning = z
  .strictObject({
    when,
    allowed: words.optional(),
    prohibited: words.optional(),
    absent: z.enum(['skip', 'hold']).default('skip')
  })
  .refine(({ allowed, prohibited }) => (allowed === undefined) !== (prohibited === undefined), {
    error: 'expected either allowed or prohibited'
  })
const expiry = z.strictObject({ field: field.default('applied_date'), days, when, severity })
const clock = z.strictObject({
  name: z.string().min(1).max(63),
  from: field.default('received'),
  days,
  count: z.enum(['calendar', 'business']),
  roll: z.enum(['none', 'next_business_day']).default('none'),
  when
})

const ruleSet = z.strictObject({
  id: z.string().min(1).max(100),
  effective_from: day,
  effective_to: day.nullable().default(null),
  required: z.array(required).max(200).default([]),
  values: z.array(values).max(200).default([]),
  mappings: z.array(mapping).max(50).default([]),
  ranges: z.array(range).max(200).default([]),
  zoning: z.array(zoning).max(500).default([]),
  expiry: z.array(expiry).max(20).default([]),
  clocks: z.array(clock).max(20).default([])
})

const parcel = z.strictObject({
  scheme: z.string().optional(),
  mask: z.string().max(60).optional(),
  suffix: z
    .string()
    .regex(/^\w{1,20}$/)
    .optional(),
  pads_parts: z.boolean().default(false),
  unmet: z.enum(['keep', 'warn', 'block']).default('warn'),
  without_suffix: z.boolean().default(false),
  equivalents: z.record(z.string(), z.string().min(1).max(60)).default({})
})

export const RulesFile = z.strictObject({
  jurisdiction: z
    .string()
    .regex(
      /^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/,
      'expected a jurisdiction code: 2, 5 or 7 digits, or a name of small letters'
    ),
  profile: z.string().default('permit'),
  time_zone: z.string().default('UTC'),
  holidays: z
    .strictObject({
      calendars: z.array(z.enum(HOLIDAY_CALENDARS)).default([]),
      days: z.array(day).max(2000).default([])
    })
    .default({ calendars: [], days: [] }),
  parcel: parcel.optional(),
  rules: z.array(ruleSet).max(200)
})

/** The rules of one jurisdiction for one profile, as written in their file. */
export type RulesContent = z.infer<typeof RulesFile>
/** The rules in force from `effective_from` until the day before `effective_to`. */
export type RuleVersion = RulesContent['rules'][number]
export type ParcelRules = NonNullable<RulesContent['parcel']>
export type When = { readonly field: string; readonly in: readonly string[] } | undefined
