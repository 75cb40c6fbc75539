import type { Profile } from '../profile.ts'

/** An empty delimited file to fill in: the header line of every field that a submission can give as one cell. */
export function csvTemplate(profile: Profile): string {
  const columns = Object.values(profile.fields).filter(
    field => field.filledBy === 'submission' && field.type !== 'list'
  )
  return `${columns.map(field => field.name).join(',')}\r\n`
}
