import { z } from 'zod'
import type { Field, ItemSpec, Profile } from '../profile.ts'

const MONEY = /^-?\d{1,16}\.\d{2}$/
const MONEY_NOT_NEGATIVE = /^\d{1,16}\.\d{2}$/
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/
const DECIMAL_NOT_NEGATIVE = /^\d{1,30}(?:\.\d{1,30})?$/

function textSchema(field: Field): z.ZodType {
  let schema = z.string().min(1)
  if (field.constraints.maxLength !== undefined) schema = schema.max(field.constraints.maxLength)
  return field.constraints.pattern ? schema.regex(field.constraints.pattern) : schema
}

function itemMemberSchema(item: ItemSpec): z.ZodType {
  switch (item.type) {
    case 'date':
      return z.iso.date()
    case 'money':
      return z.string().regex(MONEY)
    case 'decimal':
      return z.string().regex(DECIMAL)
    case 'integer':
      return z.int()
    case 'boolean':
      return z.boolean()
    default:
      return z.string()
  }
}

function listSchema(field: Field): z.ZodType {
  if (field.item === undefined) return z.array(z.string())
  const members = Object.entries(field.item).map(([name, item]): [string, z.ZodType] => {
    const schema = itemMemberSchema(item)
    return [name, item.required ? schema : schema.optional()]
  })
  return z.array(
    z.strictObject({ ...Object.fromEntries(members), extra: z.record(z.string(), z.unknown()).optional() })
  )
}

function fieldSchema(field: Field): z.ZodType {
  const nonNegative = field.constraints.nonNegative ?? false
  switch (field.type) {
    case 'date':
      return z.iso.date()
    case 'money':
      return z.string().regex(nonNegative ? MONEY_NOT_NEGATIVE : MONEY)
    case 'decimal':
      return z.string().regex(nonNegative ? DECIMAL_NOT_NEGATIVE : DECIMAL)
    case 'integer':
      return nonNegative ? z.int().nonnegative() : z.int()
    case 'boolean':
      return z.boolean()
    case 'enum':
      return z.enum(field.options ?? [])
    case 'list':
      return listSchema(field)
    default:
      return textSchema(field)
  }
}

/** The zod schema of a profile's accepted values: amounts as decimal strings, dates as `YYYY-MM-DD`, the rest in `extra`. */
export function valuesSchema(profile: Profile): z.ZodObject {
  const members = Object.values(profile.fields).map((field): [string, z.ZodType] => {
    const schema = fieldSchema(field).describe(field.title)
    return [field.name, field.required ? schema : schema.optional()]
  })
  return z.strictObject({ ...Object.fromEntries(members), extra: z.record(z.string(), z.unknown()).optional() })
}

/** The same as JSON Schema, draft 2020-12. Groups of which one field is required stand as `anyOf`. */
export function jsonSchema(profile: Profile): Record<string, unknown> {
  const schema: Record<string, unknown> = { ...z.toJSONSchema(valuesSchema(profile), { target: 'draft-2020-12' }) }
  const groups = profile.requireOneOf.map(group => ({ anyOf: group.map(name => ({ required: [name] })) }))
  return { ...schema, title: profile.title, ...(groups.length > 0 ? { allOf: groups } : {}) }
}
