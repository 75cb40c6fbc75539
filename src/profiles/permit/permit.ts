import { defineProfile } from '../define-profile.ts'
import type { Profile } from '../profile.ts'
import { PERMIT_COMPOSITIONS } from './permit-compositions.ts'
import { PERMIT_FIELDS } from './permit-fields.ts'
import { PERMIT_RULES } from './permit-rules.ts'

/** Permit applications, with the column names of BLDS and of large cities' open feeds. */
export const permit: Profile = defineProfile({
  name: 'permit',
  version: 1,
  title: 'Permit application',
  fields: PERMIT_FIELDS,
  naturalKey: ['submission_id'],
  jurisdictionField: 'jurisdiction_fips',
  compositions: PERMIT_COMPOSITIONS,
  rules: PERMIT_RULES,
  gate: { threshold: 0.8 }
})
