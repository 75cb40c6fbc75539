import { AppError } from '../errors.ts'
import { LANES, type Lane } from '../model/states.ts'
import { type Encoding, encodingOf } from '../tabular/text/encodings.ts'
import type { IntakeProfile, RequestOptions } from './submission.ts'

const FIELD_NAMES = ['profile', 'jurisdiction', 'source', 'lane', 'force', 'sheet', 'encoding', 'dry_run'] as const
type FieldName = (typeof FIELD_NAMES)[number]

/** Fields of a submission, gathered from the query and from parts that come in any order. */
export type GivenFields = Map<FieldName, string>

const isFieldName = (name: string): name is FieldName => (FIELD_NAMES as readonly string[]).includes(name)

/** A FIPS code of 2, 5 or 7 digits, or a slug. */
const JURISDICTION = /^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/

const MAX_SOURCE = 100
const SOURCE = /^[\p{L}\p{N}][\p{L}\p{N} ._:/-]*$/u

/** Adds a field. Throws `FIELD_CONFLICT` when it was given before with another value; names we do not use are ignored. */
export function addField(fields: GivenFields, name: string, value: string): void {
  if (!isFieldName(name)) return
  const before = fields.get(name)
  if (before !== undefined && before !== value) {
    throw new AppError('FIELD_CONFLICT', `The field "${name}" was sent twice with different values. Send it once.`, {
      details: { field: name }
    })
  }
  fields.set(name, value)
}

const invalid = (field: FieldName, message: string): AppError =>
  new AppError('FIELD_INVALID', message, { details: { field } })

function profileOf(fields: GivenFields, profiles: ReadonlyMap<string, IntakeProfile>): string {
  const name = fields.get('profile')
  const known = [...profiles.keys()]
  const choice = known.join(', ')
  if (!name)
    throw invalid('profile', `The field "profile" is missing. Send the kind of record the files hold: ${choice}.`)
  if (profiles.has(name)) return name
  throw new AppError('PROFILE_UNKNOWN', `There is no such profile. Known are: ${choice}.`, { details: { known } })
}

function jurisdictionOf(fields: GivenFields): string {
  const code = fields.get('jurisdiction') ?? ''
  if (JURISDICTION.test(code)) return code
  throw new AppError(
    'JURISDICTION_INVALID',
    code === ''
      ? 'The field "jurisdiction" is missing. Send the FIPS code or name of the office.'
      : 'The field "jurisdiction" must be a FIPS code of 2, 5 or 7 digits, or a name of small letters, digits and hyphens.'
  )
}

function sourceOf(fields: GivenFields): string | null {
  const source = fields.get('source')
  if (source === undefined || source === '') return null
  if (source.length <= MAX_SOURCE && SOURCE.test(source)) return source
  throw invalid('source', `The field "source" may hold ${MAX_SOURCE} letters, digits, spaces and . _ : / - at most.`)
}

const MAX_SHEET = 100

function sheetOf(fields: GivenFields): string | null {
  const sheet = fields.get('sheet')?.trim() ?? ''
  if (sheet.length > MAX_SHEET || /\p{Cc}/u.test(sheet)) {
    throw invalid(
      'sheet',
      `The field "sheet" may hold ${MAX_SHEET} characters at most: the name of a workbook's sheet.`
    )
  }
  return sheet === '' ? null : sheet
}

function encodingOfFiles(fields: GivenFields): Encoding | null {
  const label = fields.get('encoding') ?? ''
  if (label === '') return null
  const encoding = encodingOf(label)
  if (encoding !== null) return encoding
  throw invalid(
    'encoding',
    'The field "encoding" must be the label of an encoding that is read, such as "windows-1252".'
  )
}

function laneOf(fields: GivenFields): Lane {
  const given = fields.get('lane')
  if (given === undefined || given === '') return 'standard'
  const lane = LANES.find(name => name === given)
  if (lane) return lane
  throw invalid('lane', `The field "lane" must be one of: ${LANES.join(', ')}.`)
}

function flagOf(fields: GivenFields, name: 'force' | 'dry_run'): boolean {
  const given = fields.get(name) ?? ''
  if (given === 'true' || given === '1') return true
  if (given === 'false' || given === '0' || given === '') return false
  throw invalid(name, `The field "${name}" must be "true" or "false".`)
}

/**
 * Whether the query asks for a dry run: to be known before the body is read, since a dry run's Idempotency-Key is not that
 * of the submission it tries out. Throws `FIELD_INVALID` when it is neither "true" nor "false".
 */
export const asksForDryRun = (query: Readonly<Record<string, string>>): boolean =>
  flagOf(new Map([['dry_run', query['dry_run'] ?? '']]), 'dry_run')

/**
 * Checks the fields of a submission. Throws `PROFILE_UNKNOWN`, `JURISDICTION_INVALID` or `FIELD_INVALID`, whose messages
 * name the field and never its value.
 */
export function requestOptions(fields: GivenFields, profiles: ReadonlyMap<string, IntakeProfile>): RequestOptions {
  return {
    profile: profileOf(fields, profiles),
    jurisdiction: jurisdictionOf(fields),
    source: sourceOf(fields),
    lane: laneOf(fields),
    force: flagOf(fields, 'force'),
    dryRun: flagOf(fields, 'dry_run'),
    sheet: sheetOf(fields),
    encoding: encodingOfFiles(fields)
  }
}
