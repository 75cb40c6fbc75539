import type { Envelope } from '../../../model/envelope.ts'
import type { Json } from '../../../model/json.ts'
import type { RawRow } from '../../../model/rows.ts'
import type { PlainReading } from '../../candidate.ts'
import { type StoredEnvelope, storedEnvelope } from '../../judge/compact-fields.ts'
import type { EnumMapping, Profile } from '../../profile.ts'
import { companionOf } from '../../reading/map-enum.ts'
import { recordOf } from '../../shaped-record.ts'
import { hasColumns, MappingCache } from '../map-columns.ts'
import { isBlank } from '../read-cell.ts'
import { columnNameAt, type FieldPlan, readColumns } from '../read-columns.ts'
import { planRows, type RowPlan } from '../row-plan.ts'
import type { RowContext } from '../source-options.ts'
import type { PlainReader } from './plain-cell.ts'

/** Field → the column that the records of the file are read from, as its header is written. */
export type ColumnOf = (field: string) => string | undefined

/** How the cells of one field are read without an envelope. */
interface PlainColumn {
  readonly name: string
  readonly plan: FieldPlan
  /** Its only column, or −1 where the field is read the long way. */
  readonly at: number
  readonly read: PlainReader
  readonly isRequired: boolean
  /** Whether the batch says it where the row does not. */
  readonly isOfBatch: boolean
  /** The field that it says the value of, in a closed vocabulary. */
  readonly companion: Companion | null
}

interface Companion {
  readonly field: string
  /** What a value is in it, or undefined when no entry names it. */
  readonly of: (value: string) => string | undefined
}

interface PlainPlan {
  readonly columns: readonly PlainColumn[]
  readonly extra: readonly number[]
  /** Fields of a closed vocabulary that have a column of their own: a blank there is told of. */
  readonly ownCompanions: ReadonlySet<string>
}

const NOTHING: Readonly<Record<string, StoredEnvelope>> = Object.freeze({})
const NEVER: PlainReader = () => undefined

/** Values that are remembered: a file has a handful of types and states. */
const MAX_REMEMBERED = 1000

function companionFrom(mapping: EnumMapping): Companion {
  const known = new Map<string, string>()
  return {
    field: mapping.field,
    of(value) {
      const found = known.get(value) ?? companionOf(mapping, value)
      if (found !== undefined && known.size < MAX_REMEMBERED) known.set(value, found)
      return found
    }
  }
}

function plainColumn(profile: Profile, plan: FieldPlan, names: readonly string[], columnOf: ColumnOf): PlainColumn {
  const { field, plain } = plan
  const isUsual = plain !== null && columnNameAt({ names }, plain.at) === columnOf(field.name)
  return {
    name: field.name,
    plan,
    at: isUsual ? plain.at : -1,
    read: isUsual ? plain.read : NEVER,
    isRequired: field.required,
    isOfBatch: field.name === profile.jurisdictionField,
    companion: field.mapped ? companionFrom(field.mapped) : null
  }
}

/**
 * Null where no row of these names can be read so: a field that it must have has no column, or one that is told by the batch
 * or by another field has a column of its own in the rest of the file, as members of JSON may.
 */
function planPlain(profile: Profile, plan: RowPlan, names: readonly string[], columnOf: ColumnOf): PlainPlan | null {
  const isOfBatch = ({ field }: FieldPlan): boolean => field.name === profile.jurisdictionField
  const fields = plan.fields.filter(entry => hasColumns(entry) || isOfBatch(entry))
  if (!isUnique(plan, names) || plan.fields.some(entry => entry.field.required && !fields.includes(entry))) return null
  const isTold = (entry: FieldPlan): boolean => isOfBatch(entry) || entry.field.filledBy === 'mapping'
  if (plan.fields.some(entry => isTold(entry) && !hasColumns(entry) && columnOf(entry.field.name) !== undefined))
    return null
  return {
    columns: fields.map(entry => plainColumn(profile, entry, names, columnOf)),
    extra: plan.extra,
    ownCompanions: new Set(fields.filter(hasColumns).map(entry => entry.field.name))
  }
}

/** Content of no field; each name of it comes once. */
function extraOf({ extra }: PlainPlan, row: RawRow): Record<string, Json> | null {
  let found: Record<string, Json> | null = null
  for (const at of extra) {
    const cell = row.values[at]
    if (typeof cell !== 'string' || isBlank(cell)) continue
    found ??= Object.create(null) as Record<string, Json>
    found[columnNameAt(row, at)] = cell
  }
  return found
}

const isUnique = ({ extra }: RowPlan, names: readonly string[]): boolean =>
  new Set(extra.map(at => columnNameAt({ names }, at))).size === extra.length

/** Whether all of a row is text: members of JSON that are none may stand for several columns. */
function isText({ values }: RawRow): boolean {
  for (const value of values) if (typeof value !== 'string' && value !== null) return false
  return true
}

/** What is read of one row, until it proves to have something to tell. */
class Reading {
  readonly names: string[] = []
  readonly values: Json[] = []
  stored: Record<string, StoredEnvelope> | null = null

  keep(name: string, value: Json): void {
    this.names.push(name)
    this.values.push(value)
  }

  store(name: string, envelope: StoredEnvelope): void {
    this.stored ??= {}
    this.stored[name] = envelope
  }
}

const isSure = ({ value, flags, confidence }: Envelope): boolean =>
  value !== null && flags.length === 0 && confidence === 1

/** Reads rows of one file that have nothing to tell. */
class PlainRows {
  readonly #profile: Profile
  readonly #jurisdiction: string
  readonly #columnOf: ColumnOf
  readonly #plans: MappingCache<PlainPlan | null>

  constructor(profile: Profile, context: RowContext, columnOf: ColumnOf) {
    this.#profile = profile
    this.#jurisdiction = context.jurisdiction
    this.#columnOf = columnOf
    this.#plans = new MappingCache(names => planPlain(profile, planRows(profile, names, context), names, columnOf))
  }

  read(row: RawRow): PlainReading | null {
    if (row.fault !== undefined || !isText(row)) return null
    const plan = this.#plans.get(row.names)
    if (plan === null) return null
    const reading = new Reading()
    for (const column of plan.columns) {
      const cell = column.at < 0 ? null : row.values[column.at]
      if (cell === '') {
        if (column.isRequired || column.isOfBatch) return null
        continue
      }
      const value = typeof cell === 'string' ? column.read(cell) : undefined
      if (value === undefined) {
        if (!this.#readLong(column, row, reading)) return null
        continue
      }
      reading.keep(column.name, value)
      if (value !== cell && String(value) !== cell) reading.store(column.name, { raw: cell as string })
    }
    if (!addCompanions(plan, reading)) return null
    const values = recordOf(reading.names, reading.values)
    if (!this.#profile.requireOneOf.every(group => group.some(name => values[name] !== undefined))) return null
    const extra = extraOf(plan, row)
    if (extra !== null) values['extra'] = extra
    return { values, stored: reading.stored ?? NOTHING }
  }

  /** Reads one field the long way; false: it has something to tell. */
  #readLong({ name, plan, isRequired, isOfBatch }: PlainColumn, row: RawRow, into: Reading): boolean {
    const envelope = readColumns(plan, row)
    if (envelope === null) {
      if (isOfBatch && !hasColumns(plan)) into.keep(name, this.#jurisdiction)
      return isOfBatch ? !hasColumns(plan) : !isRequired
    }
    if (!isSure(envelope)) return false
    into.keep(name, envelope.value)
    const place = { jurisdiction: this.#jurisdiction, row: row.row, line: row.line, columnOf: this.#columnOf }
    const entry = storedEnvelope(this.#profile, name, { fields: { [name]: envelope }, place })
    if (entry !== null) into.store(name, entry)
    return true
  }
}

/** Adds what values are in a closed vocabulary; false: one is not in it, or its own column is blank. */
function addCompanions(plan: PlainPlan, into: Reading): boolean {
  for (const { name, companion } of plan.columns) {
    if (companion === null) continue
    const value = into.values[into.names.indexOf(name)]
    if (value === undefined) continue
    if (typeof value !== 'string') return false
    if (plan.ownCompanions.has(companion.field)) {
      if (!into.names.includes(companion.field)) return false
      continue
    }
    const said = companion.of(value)
    if (said === undefined) return false
    into.keep(companion.field, said)
  }
  return true
}

/**
 * Makes the function that reads rows of one file which have nothing to tell: values and what is stored beside them, the same
 * as `rowMapper`, `judge` and `compactFields` come to, without an envelope for each value. Null for every other row: it is to
 * be read the long way. `columnOf` says which column each field of the file is usually read from.
 */
export function plainRows(
  profile: Profile,
  context: RowContext,
  columnOf: ColumnOf
): (row: RawRow) => PlainReading | null {
  const rows = new PlainRows(profile, context, columnOf)
  return row => rows.read(row)
}
