import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { readRange } from '../client/addresses.ts'
import type { NetworkPolicy } from '../client/guarded-client.ts'

/** What an attribute holds, and so what becomes of it. */
const TYPES = ['text', 'integer', 'decimal', 'flag', 'date', 'list', 'json'] as const
export type ValueType = (typeof TYPES)[number]

/**
 * What a record of a registry may tell, and of what type it is; `any`: text, unless the rule says that it is a number or a
 * date, which becomes text. A name that is not one of these is a slip of the pen and refused.
 */
const NAMES = {
  zoningCode: 'any',
  overlays: 'list',
  siteAddress: 'any',
  ownerName: 'any',
  retired: 'flag',
  equivalents: 'list',
  address: 'any',
  legalDescription: 'any',
  landUse: 'any',
  schedules: 'json'
} as const satisfies Record<string, ValueType | 'any'>

type Name = keyof typeof NAMES
const TYPE_OF = new Map<string, ValueType | 'any'>(Object.entries(NAMES))

/** The type of a name's value when its rule tells none. */
export function typeOf(name: string): ValueType {
  const type = TYPE_OF.get(name) ?? 'any'
  return type === 'any' ? 'text' : type
}

const MAKES_TEXT: readonly ValueType[] = ['text', 'integer', 'decimal', 'date']

/** How one value of a record is made from attributes; `From` says how an attribute is named. */
function rule<From extends z.ZodType<string>>(from: From) {
  return z.union([
    from,
    z.strictObject({
      from: z.union([from, z.array(from).min(1).max(8)]),
      as: z.enum(TYPES).optional(),
      /** Between the parts when several attributes make one text. */
      join: z.string().max(4).default(' '),
      /** Between the elements of a list that is written as one text. */
      split: z.string().min(1).max(4).optional(),
      /** Texts that stand for true; any other is false. */
      trueWhen: z.array(z.string().max(100)).min(1).max(50).optional(),
      /** Whether an attribute may be missing from the answer; otherwise that is a fault of configuration. */
      optional: z.boolean().default(false)
    })
  ])
}

/** What is wrong with a rule that is well-formed. */
function faultOf(name: Name, one: FieldRule): string | undefined {
  if (typeof one === 'string') return undefined
  const as = one.as ?? typeOf(name)
  const fits = NAMES[name] === 'any' ? MAKES_TEXT.includes(as) : as === NAMES[name]
  if (!fits) return `is never read as ${as}`
  const joins = typeof one.from === 'string' || as === 'text' || as === 'list'
  return joins ? undefined : 'makes one text or one list of several attributes, and nothing else'
}

/** The attribute that holds the key. `integer`: numbers, filled up with zeros to `width` digits. */
function key<From extends z.ZodType<string>>(from: From) {
  return z.strictObject({
    from,
    as: z.enum(['text', 'integer']).default('text'),
    width: z.number().int().min(1).max(15).optional()
  })
}

/** What every adapter's settings hold, for attributes named by `from`. */
export const mappingShape = <From extends z.ZodType<string>>(from: From) => ({
  key: key(from),
  fields: z.partialRecord(z.enum(Object.keys(NAMES) as Name[]), rule(from)).superRefine((fields, context) => {
    for (const [name, one] of Object.entries(fields) as [Name, FieldRule | undefined][]) {
      const fault = one === undefined ? undefined : faultOf(name, one)
      if (fault !== undefined) context.addIssue({ code: 'custom', path: [name], message: fault })
    }
  }),
  /** The attribute that says of which day an entry is. */
  asOf: from.optional(),
  /** Rows of one key whose mapped values are all equal count as one: parcels of several shapes. */
  distinct: z.boolean().default(false)
})

export type KeyRule = z.infer<ReturnType<typeof key<z.ZodString>>>
export type FieldRule = z.infer<ReturnType<typeof rule<z.ZodString>>>

export interface Mapping {
  readonly key: KeyRule
  readonly fields: Readonly<Partial<Record<string, FieldRule | undefined>>>
  readonly asOf?: string | undefined
  readonly distinct: boolean
}

const range = z.string().refine(text => readRange(text) !== undefined, 'is an address range such as 10.20.0.0/16')

export const Network = z
  .strictObject({
    /** Plain HTTP may be used: only for a registry inside one's own network. */
    http: z.boolean().default(false),
    /** Ranges that may be connected to although they are not public. */
    addresses: z.array(range).max(20).default([]),
    /** Most bytes of one answer. */
    maxBytes: z
      .number()
      .int()
      .min(1024)
      .max(256 * 1024 * 1024)
      .default(16 * 1024 * 1024)
  })
  .prefault({})

/** An address of a registry: no credentials, no fragment. */
export const Address = z
  .string()
  .max(1000)
  .refine(text => {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.hash !== '') return false
    // Of a name that is filled in later nobody could say what it leads to.
    return /^[\w.:[\]-]+$/.test(url.host)
  }, 'is an https address without credentials')

/** What the addresses of a configuration allow: their hosts and no other. Throws when one is plain and that is not allowed. */
export function policyOf(
  network: z.infer<typeof Network>,
  addresses: readonly string[],
  connections: number
): NetworkPolicy {
  const origins = new Set(addresses.map(address => new URL(address).origin))
  const plain = [...origins].some(origin => !origin.startsWith('https:'))
  if (plain && !network.http) {
    throw new AppError('CONFIG_INVALID', 'A registry is asked over https; set network.http to allow plain HTTP.')
  }
  return { origins, addresses: network.addresses, connections, maxBytes: network.maxBytes }
}
