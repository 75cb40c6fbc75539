import type { EnumMapping, Field, Profile } from '../profile.ts'
import { columnContext, provenSerials } from './column-context.ts'
import { likelyColumns } from './headings/suggest-columns.ts'
import { type ColumnMapping, hasColumns, type MappingHelp, mapColumns } from './map-columns.ts'
import { plainReader } from './plain/plain-cell.ts'
import type { ColumnContext } from './read-cell.ts'
import type { FieldPlan } from './read-columns.ts'
import type { ColumnEvidence, RowContext, SourceOptions } from './source-options.ts'

/** All that is settled for rows with the same names, so that a row costs only its cells. */
export interface RowPlan {
  /** Every field a submission can give, in the profile's order; without columns when the file has none for it. */
  readonly fields: readonly FieldPlan[]
  /** Those of them whose values say what a companion field is. */
  readonly mapped: readonly MappedField[]
  readonly extra: ColumnMapping['extra']
  /** Required field without a column → which columns may be it, in words. */
  readonly suggestions: ReadonlyMap<string, string>
}

/** A field with the field that is mapped from it. */
export interface MappedField {
  readonly name: string
  readonly mapping: EnumMapping
}

const NO_COLUMNS = { own: [], fallbacks: [], composition: null, isInferred: false }

/** What is known of the columns of a file beside their names. */
export function helpOf(known: {
  readonly source: SourceOptions | undefined
  readonly evidence?: ColumnEvidence | undefined
}): MappingHelp {
  const { source, evidence } = known
  return {
    ...(source?.columns === undefined ? {} : { overrides: source.columns }),
    ...(evidence === undefined ? {} : { evidence })
  }
}

/** Settles how rows with these names are read. */
export function planRows(profile: Profile, names: readonly string[], context: RowContext): RowPlan {
  const mapping = mapColumns(profile, names, helpOf({ source: context.source, evidence: context.evidence }))
  const serials = provenSerials(mapping, context)
  const fields = Object.values(profile.fields)
    .filter(field => field.filledBy !== 'registry')
    .map(field => {
      const columns = mapping.fields.find(entry => entry.field === field) ?? { field, ...NO_COLUMNS }
      const positions = [...columns.own, ...columns.fallbacks]
      const contexts = positions.map((at): [number, ColumnContext] => [
        at,
        columnContext(field, names[at] ?? null, context, serials)
      ])
      const plan = { ...columns, contexts: new Map(contexts), context: columnContext(field, null, context, undefined) }
      return { ...plan, plain: plainColumn(plan) }
    })
    .filter(plan => isNeeded(plan.field, profile) || hasColumns(plan))
  const mapped = fields.flatMap(({ field: { name, mapped: companion } }) =>
    companion ? [{ name, mapping: companion }] : []
  )
  return { fields, mapped, extra: mapping.extra, suggestions: suggestionsOf(profile, fields, mapping) }
}

/** A blank in the only column of a field means that this row has no value: nothing else is asked then. */
function plainColumn({ field, own, isInferred, contexts }: Omit<FieldPlan, 'plain'>): FieldPlan['plain'] {
  const [at] = own
  const context = at === undefined ? undefined : contexts.get(at)
  if (at === undefined || context === undefined || own.length > 1 || isInferred) return null
  const read = plainReader(field, context.cell)
  return read === null ? null : { at, read }
}

function suggestionsOf(
  profile: Profile,
  plans: readonly FieldPlan[],
  { names, extra }: ColumnMapping
): ReadonlyMap<string, string> {
  const suggestions = new Map<string, string>()
  const free = extra.flatMap(at => names[at] ?? [])
  for (const { field, ...plan } of plans) {
    if (!field.required || hasColumns({ field, ...plan }) || field.name === profile.jurisdictionField) continue
    const likely = likelyColumns(field, free)
    if (likely.length > 0) suggestions.set(field.name, `no column is it by name; it may be ${quoted(likely)}`)
  }
  return suggestions
}

const quoted = (names: readonly string[]): string => names.map(name => `“${name}”`).join(' or ')

/** Required fields are looked at even without a column, so that they are reported missing. */
function isNeeded(field: Field, profile: Profile): boolean {
  return field.required || field.filledBy === 'mapping' || field.name === profile.jurisdictionField
}
