import type { ReasonCode } from '../../../src/model/reasons.ts'
import { plain } from '../amounts.ts'
import { isoDay } from '../calendar.ts'
import type { ExpectedRecord, SampleFile } from '../manifest.ts'
import type { Permit } from './permit.ts'

type Member = string | null | readonly Readonly<Record<string, string>>[]

/** A planted fault: changed members (null removes one), or the record's text itself. */
export interface JsonFault {
  /** From 1. */
  readonly row: number
  readonly state: ExpectedRecord['state']
  readonly code?: ReasonCode
  readonly members?: Readonly<Record<string, string | null>>
  readonly text?: (record: string) => string
}

/** The members of one application under the profile's own names. */
export function membersOf(permit: Permit, jurisdiction: string): Record<string, Member> {
  return {
    submission_id: permit.id,
    permit_type_code: permit.type,
    parcel_id: permit.parcel,
    jurisdiction_fips: jurisdiction,
    project_valuation: plain(permit.valuationCents),
    site_address: `${permit.houseNumber} ${permit.street}`,
    applicant_name: permit.applicant,
    contractor_name: permit.contractor,
    work_description: permit.description,
    applied_date: isoDay(permit.applied),
    ...(permit.issued && { issued_date: isoDay(permit.issued) }),
    status: permit.status
  }
}

/** One text per record, faults put in. */
export function recordTexts(
  records: readonly Readonly<Record<string, Member>>[],
  faults: readonly JsonFault[]
): string[] {
  return records.map((members, index) => {
    const fault = faults.find(one => one.row === index + 1)
    const changed = Object.entries({ ...members, ...fault?.members }).filter(([, value]) => value !== null)
    const text = JSON.stringify(Object.fromEntries(changed))
    return fault?.text ? fault.text(text) : text
  })
}

/** One record a line. */
export function ndjsonFile(path: string, texts: readonly string[], faults: readonly JsonFault[]): SampleFile {
  return finished(path, `${texts.join('\n')}\n`, texts.length, faults)
}

/** All records as the `records` array of one object. */
export function jsonFile(path: string, texts: readonly string[], faults: readonly JsonFault[]): SampleFile {
  return finished(path, `{\n  "records": [\n    ${texts.join(',\n    ')}\n  ]\n}\n`, texts.length, faults)
}

function finished(path: string, text: string, rows: number, faults: readonly JsonFault[]): SampleFile {
  const records = faults.map(({ row, state, code }) => ({ file: path, row, state, ...(code && { code }) }))
  return { path, content: Buffer.from(text, 'utf8'), rows, records }
}
