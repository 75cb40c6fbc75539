import type { Field, FieldType, Profile } from '../profile.ts'

const SQL_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  identifier: 'text',
  name: 'text',
  address: 'text',
  date: 'date',
  money: 'numeric(18,2)',
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  enum: 'text',
  list: 'jsonb'
}

/** Field names are checked when the profile is defined, so quoting is all they need. */
function viewColumn(field: Field): string {
  const type = SQL_TYPES[field.type]
  if (type === 'jsonb') return `  r.content -> '${field.name}' as "${field.name}"`
  if (type === 'text') return `  r.content ->> '${field.name}' as "${field.name}"`
  return `  (r.content ->> '${field.name}')::${type} as "${field.name}"`
}

/**
 * The statement that makes the typed view of a profile's current records, named after the profile. It reads heads
 * with the rights of whoever asks, so that row-level security holds.
 */
export function viewSql(profile: Profile): string {
  return [
    `create or replace view "${profile.name}" with (security_invoker = true) as`,
    'select',
    [
      '  h.jurisdiction',
      '  h.natural_key',
      '  h.version',
      '  r.record_id',
      ...Object.values(profile.fields).map(viewColumn),
      `  r.content -> 'extra' as "extra"`
    ].join(',\n'),
    'from current_version h',
    'join canonical_record r',
    '  on r.jurisdiction = h.jurisdiction and r.profile = h.profile',
    '  and r.natural_key = h.natural_key and r.version = h.version',
    `where h.profile = '${profile.name}'`
  ].join('\n')
}
