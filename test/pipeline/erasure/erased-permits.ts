import { JURISDICTION } from '../../helpers/factory.ts'

/** Columns of the permits that are erased in these tests; the last one holds a person's name. */
export const HEADER = 'submission_id,permit_type_code,parcel_id,jurisdiction_fips,project_valuation,applicant_name'

/** An erasure that somebody asked for, which overwrites at once. */
export const WORK = {
  jurisdiction: JURISDICTION,
  actor: 'key:test',
  reason: 'subject_request',
  rule: null,
  mode: 'overwrite'
} as const
