import type { Envelope, Fields } from '../../model/envelope.ts'
import { REASONS, type Reason, type ReasonCode, type ReasonOptions, reasonOf } from '../../model/reasons.ts'
import type { Field, FieldType, Profile } from '../profile.ts'

const INVALID_CODES: Partial<Record<FieldType, ReasonCode>> = {
  date: 'INVALID_DATE',
  money: 'INVALID_NUMBER',
  integer: 'INVALID_NUMBER',
  decimal: 'INVALID_NUMBER'
}
const AMBIGUOUS_CODES: Partial<Record<FieldType, ReasonCode>> = {
  date: 'AMBIGUOUS_DATE',
  money: 'AMBIGUOUS_NUMBER',
  integer: 'AMBIGUOUS_NUMBER',
  decimal: 'AMBIGUOUS_NUMBER'
}

const isReasonCode = (flag: string): flag is ReasonCode => Object.hasOwn(REASONS, flag)

const severityOf = (code: ReasonCode): string => REASONS[code].severity

function codeOfUnread(field: Field, envelope: Envelope): ReasonCode {
  const flagged = envelope.flags.find(isReasonCode)
  if (flagged !== undefined) return flagged
  if (envelope.status === 'ambiguous') return AMBIGUOUS_CODES[field.type] ?? 'MULTIPLE_CANDIDATES'
  return INVALID_CODES[field.type] ?? 'FIELD_INVALID'
}

/**
 * A value that is there and cannot be read holds the record, required or not, for a wrong date or amount left out
 * in silence is a wrong record. What says nothing precise, and an exporter's stand-in for no date, only warns.
 */
function unreadReason(field: Field, envelope: Envelope): Reason {
  const code = codeOfUnread(field, envelope)
  const options: ReasonOptions = { field: field.name, origin: envelope.origin }
  if (field.required) return reasonOf(code === 'UNMAPPED_ENUM' ? 'FIELD_INVALID' : code, options)
  if (code === 'FIELD_INVALID') return reasonOf('FIELD_WARNING', options)
  return reasonOf(code, code === 'SENTINEL_DATE' ? { ...options, severity: 'warn' } : options)
}

function missingReason(field: Field, envelope: Envelope): Reason {
  const code = envelope.flags.filter(isReasonCode).find(flag => severityOf(flag) === 'block')
  return reasonOf(code ?? 'FIELD_MISSING', { field: field.name, origin: envelope.origin })
}

/** The reasons that follow from one field's envelope alone. */
export function fieldReasons(field: Field, envelope: Envelope): readonly Reason[] {
  switch (envelope.status) {
    case 'invalid':
    case 'ambiguous':
      return [unreadReason(field, envelope)]
    case 'absent':
    case 'redacted':
    case 'not_applicable':
      return field.required ? [missingReason(field, envelope)] : []
    default:
      return envelope.flags
        .filter(isReasonCode)
        .filter(code => severityOf(code) !== 'info')
        .map(code => reasonOf(code, { field: field.name, origin: envelope.origin }))
  }
}

const isNothing = (envelope: Envelope | undefined): boolean =>
  envelope === undefined || ['absent', 'redacted', 'not_applicable'].includes(envelope.status)

/** A reason for every group of fields of which none is there although one must be. */
export function groupReasons(profile: Profile, fields: Fields): Reason[] {
  return profile.requireOneOf
    .filter(group => group.every(name => isNothing(fields[name])))
    .map(group => {
      const [first = ''] = group
      const origin = fields[first]?.origin ?? null
      return reasonOf('FIELD_MISSING', { field: first, origin, detail: `one of ${group.join(', ')}` })
    })
}

/** All reasons that follow from the envelopes of a record, in the order of the profile's fields; required ones are missed. */
export function reasonsOfFields(profile: Profile, fields: Fields): Reason[] {
  const reasons = Object.values(profile.fields).flatMap(field => {
    const envelope = fields[field.name]
    if (envelope !== undefined) return fieldReasons(field, envelope)
    return field.required ? [reasonOf('FIELD_MISSING', { field: field.name })] : []
  })
  return [...reasons, ...groupReasons(profile, fields)]
}
