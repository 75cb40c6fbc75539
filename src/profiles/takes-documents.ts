import type { Profile } from './profile.ts'

/** Whether documents hold records of a profile: its fields have labels to be found by. */
export const takesDocuments = (profile: Profile): boolean =>
  Object.values(profile.fields).some(field => field.labels.length > 0)
