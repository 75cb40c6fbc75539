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
import { recordOf } from '../shaped-record.ts'
import { type ExpandedRow, expandRow, namedColumns } from './expand-row.ts'
import { MappingCache } from './map-columns.ts'
import { isBlank } from './read-cell.ts'
import { type CellRow, type FieldPlan, originOf, readColumns } from './read-columns.ts'
import { planRows, type RowPlan } from './row-plan.ts'
import type { RowContext } from './source-options.ts'

const NO_EXTRA: Readonly<Record<string, Json>> = Object.freeze({})
const NO_FLAGS: readonly string[] = Object.freeze([])
const NO_FIELDS: Readonly<Record<string, Envelope>> = Object.freeze({})

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

interface ReadFields {
  readonly fields: Readonly<Record<string, Envelope>>
  /** Whether a field may have something to tell beside its value. */
  readonly isTelling: boolean
}

const tells = (envelope: Envelope): boolean => envelope.value === null || envelope.flags.length > 0

function readFields(profile: Profile, plan: RowPlan, row: CellRow, batch: Envelope): ReadFields {
  const names: string[] = []
  const envelopes: Envelope[] = []
  let isTelling = false
  const keep = (name: string, envelope: Envelope): void => {
    names.push(name)
    envelopes.push(envelope)
    isTelling ||= envelope !== batch && tells(envelope)
  }
  for (const entry of plan.fields) {
    const { name, required } = entry.field
    const envelope = readColumns(entry, row)
    if (envelope !== null) keep(name, envelope)
    else if (name === profile.jurisdictionField) keep(name, batch)
    else if (required) keep(name, missingEnvelope(entry, row))
  }
  for (const { name, mapping } of plan.mapped) {
    const source = envelopes[names.indexOf(name)]
    if (source === undefined) continue
    const known = names.indexOf(mapping.field)
    if (known >= 0 && envelopes[known]?.value != null) continue
    const companion = mapEnum(mapping, source)
    if (companion === null) continue
    if (known < 0) keep(mapping.field, companion)
    else envelopes[known] = companion
    isTelling ||= tells(companion)
  }
  return { fields: recordOf(names, envelopes), isTelling }
}

function reasonsOf(profile: Profile, plan: RowPlan, { fields, isTelling }: ReadFields): Reason[] {
  const reasons: Reason[] = []
  for (const name in isTelling ? fields : NO_FIELDS) {
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
  const { code, detail, column } = row.fault
  const origin = { row: row.row, ...(column === undefined ? {} : { column }), line: row.line }
  return reasonOf(code, { origin, ...(detail === undefined ? {} : { detail }) })
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
    const read = readFields(profile, plan, cells, batch)
    const reasons = reasonsOf(profile, plan, read)
    return {
      fields: read.fields,
      extra: extraOf(plan, expanded),
      reasons: fault === null ? reasons : [fault, ...reasons]
    }
  }
}
