import { z } from 'zod'
import { ROUNDING_MODES } from './exact.ts'
import { referenceFaults } from './references.ts'

const AMOUNT = /^\d{1,15}(?:\.\d{1,6})?$/
const AMOUNT_EXPECTED = 'expected an amount in quotes, such as "23.50"'
const amount = z.string(AMOUNT_EXPECTED).regex(AMOUNT, AMOUNT_EXPECTED)
const positive = amount.refine(text => /[1-9]/.test(text), 'expected an amount above zero')
const MONEY_EXPECTED = 'expected money in quotes with at most two decimals, such as "50.00"'
const money = z.string(MONEY_EXPECTED).regex(/^\d{1,15}(?:\.\d{1,2})?$/, MONEY_EXPECTED)
const day = z.iso.date('expected a day as YYYY-MM-DD')
const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'expected a name of small letters, digits and underscores, such as "plan_check"')
const field = name.describe('the name of a field of the record')

const bracket = z.strictObject({
  over: amount.describe('values above this'),
  to: amount.nullable().default(null).describe('up to and including this; null: without end'),
  base: amount,
  rate: amount.default('0'),
  unit: positive.nullable().default(null).describe('the rate is for each unit begun; null: for exactly what is above')
})

const multiplier = z.strictObject({
  field,
  values: z.record(z.string(), amount),
  absent: amount.optional().describe('the factor of a record without the field; left out: such a record is held')
})

const condition = z.strictObject({
  field,
  in: z.array(z.string()).min(1),
  absent: z
    .enum(['skip', 'apply'])
    .optional()
    .describe('what holds for a record without the field; left out: it is held')
})

const shared = {
  name,
  when: condition.optional(),
  multipliers: z.array(multiplier).default([]),
  minimum: money.optional(),
  maximum: money.optional()
}

const line = z.discriminatedUnion('kind', [
  z.strictObject({ ...shared, kind: z.literal('brackets'), of: field, brackets: z.array(bracket).min(1).max(200) }),
  z.strictObject({ ...shared, kind: z.literal('flat'), amount }),
  z.strictObject({
    ...shared,
    kind: z.literal('per_unit'),
    of: field,
    rate: amount,
    unit: positive.default('1'),
    included: amount.default('0').describe('so much costs nothing')
  }),
  z.strictObject({ ...shared, kind: z.literal('percent'), of: z.array(name).min(1), percent: amount })
])

const rounding = z.strictObject({
  unit: positive
    .refine(text => /^\d+(?:\.\d{1,2}0*)?$/.test(text), 'expected whole cents, such as "0.01" or "1.00"')
    .default('0.01'),
  mode: z.enum(ROUNDING_MODES).default('half_up'),
  stage: z.enum(['per_line', 'total']).default('per_line')
})

const signOff = z.strictObject({
  by: z.string().min(1).max(200).describe('who has looked at the adopted text'),
  note: z.string().max(2000).optional(),
  findings: z
    .array(z.string().max(500))
    .describe('the findings of `docket registry lint` that stand in the adopted text')
})

export const Schedule = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'expected an id of letters, digits, ".", "-" and "_"'),
    title: z.string().max(500).optional(),
    ordinance: z.string().max(500).optional(),
    permit_types: z.array(z.string().min(1)).min(1).nullable().default(null),
    effective_from: day,
    effective_to: day.nullable().default(null),
    rounding: rounding.default({ unit: '0.01', mode: 'half_up', stage: 'per_line' }),
    lines: z.array(line).min(1).max(100),
    minimum: money.optional(),
    maximum: money.optional(),
    signed_off: signOff.optional()
  })
  .superRefine((schedule, context) => {
    for (const { path, message } of referenceFaults(schedule)) context.addIssue({ code: 'custom', path, message })
  })

/**
 * A fee schedule as written in its file. `permit_types` null: for every type without a schedule of its own. In force from
 * `effective_from` until the day before `effective_to`. Amounts, rates and percentages are decimal text.
 */
export type FeeSchedule = z.infer<typeof Schedule>
export type FeeLine = FeeSchedule['lines'][number]
export type BracketLine = Extract<FeeLine, { kind: 'brackets' }>
export type FeeBracket = BracketLine['brackets'][number]
