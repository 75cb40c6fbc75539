import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { RawRow } from '../../model/rows.ts'
import type { Candidate } from '../candidate.ts'
import type { Profile } from '../profile.ts'
import { fieldReasons, groupReasons } from '../reading/field-reasons.ts'
import { jurisdictionFromBatch } from '../reading/jurisdiction-from-batch.ts'
import { mapEnum } from '../reading/map-enum.ts'
import { parseSourceJson, plainJson } from '../reading/source-json.ts'
import { type ExpandedRow, expandRow, namedColumns } from './expand-row.ts'
import { MappingCache } from './map-columns.ts'
import { isBlank } from './read-cell.ts'
import { type CellRow, type FieldPlan, originOf, readColumns } from './read-columns.ts'
import { planRows, type RowPlan } from './row-plan.ts'
import type { RowContext } from './source-options.ts'

const NO_EXTRA: Readonly<Record<string, Json>> = Object.freeze({})
const NO_FLAGS: readonly string[] = Object.freeze([])

/** Names as sent are members of plain data, `__proto__` among them; a name sent twice keeps both contents. */
function extraOf(plan: RowPlan, row: ExpandedRow): Readonly<Record<string, Json>> {
  if (plan.extra.length === 0 && row.nested.length === 0) return NO_EXTRA
  const extra: Record<string, Json> = Object.create(null)
  const keep = (name: string, value: Json): void => {
    let free = name
    for (let count = 2; free in extra; count += 1) free = `${name} (${count})`
    extra[free] = value
  }
  for (const at of plan.extra) {
    const value = row.values[at]
    if (at >= row.width || value === null || value === undefined || isBlank(value)) continue
    const name = row.names[at] || String(at + 1)
    keep(name, typeof value === 'string' ? value : plainJson(parseSourceJson(value.json)))
  }
  for (const [name, value] of row.nested) keep(name, value)
  return extra
}

function missingEnvelope(plan: FieldPlan, row: CellRow): Envelope {
  const at = plan.own[0] ?? plan.fallbacks[0]
  const origin = at === undefined ? { row: row.row, line: row.line } : originOf(row, at)
  return { value: null, raw: null, status: 'absent', confidence: 0, origin, flags: NO_FLAGS }
}

function readFields(profile: Profile, plan: RowPlan, row: CellRow, batch: Envelope): Record<string, Envelope> {
  const fields: Record<string, Envelope> = {}
  for (const entry of plan.fields) {
    const { name, required } = entry.field
    const envelope = readColumns(entry, row)
    if (envelope !== null) fields[name] = envelope
    else if (name === profile.jurisdictionField) fields[name] = batch
    else if (required) fields[name] = missingEnvelope(entry, row)
  }
  for (const { field } of plan.fields) {
    const source = fields[field.name]
    if (field.mapped === undefined || source === undefined || fields[field.mapped.field]?.value != null) continue
    const companion = mapEnum(field.mapped, source)
    if (companion !== null) fields[field.mapped.field] = companion
  }
  return fields
}

function reasonsOf(profile: Profile, plan: RowPlan, fields: Readonly<Record<string, Envelope>>): Reason[] {
  const reasons: Reason[] = []
  for (const name in fields) {
    const field = profile.fields[name]
    const envelope = fields[name]
    if (field === undefined || envelope === undefined) continue
    if (envelope.value !== null && envelope.flags.length === 0) continue
    const suggestion = envelope.raw === null ? plan.suggestions.get(name) : undefined
    if (suggestion === undefined) reasons.push(...fieldReasons(field, envelope))
    else reasons.push(reasonOf('FIELD_MISSING', { field: name, origin: envelope.origin, detail: suggestion }))
  }
  if (profile.requireOneOf.length > 0) reasons.push(...groupReasons(profile, fields))
  return reasons
}

function faultReason(row: RawRow): Reason | null {
  if (row.fault === undefined) return null
  const { code, detail } = row.fault
  return reasonOf(code, { origin: { row: row.row, line: row.line }, ...(detail === undefined ? {} : { detail }) })
}

/**
 * Makes the function that reads the rows of one file into candidates. It never throws for what a row holds: every
 * fault is a reason with the row, the line and, where there is one, the column. All missing required fields are told at
 * once. A row that could not be cut into cells has no fields, only its fault.
 */
export function rowMapper(profile: Profile, context: RowContext): (row: RawRow) => Candidate {
  const plans = new MappingCache(names => planRows(profile, names, context))
  const batch = jurisdictionFromBatch(context.jurisdiction)
  const named = namedColumns(context.source)
  return row => {
    const fault = faultReason(row)
    const hasCells = row.values.length > 0 && row.values.length === row.names.length
    if (fault !== null && !hasCells) return { fields: {}, extra: NO_EXTRA, reasons: [fault] }
    const expanded = expandRow(profile, row, named)
    const plan = plans.get(expanded.names)
    const cells = { names: expanded.names, values: expanded.values, row: row.row, line: row.line }
    const fields = readFields(profile, plan, cells, batch)
    const reasons = reasonsOf(profile, plan, fields)
    return { fields, extra: extraOf(plan, expanded), reasons: fault === null ? reasons : [fault, ...reasons] }
  }
}
