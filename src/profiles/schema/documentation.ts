import type { Constraints, Profile } from '../profile.ts'

/** One line of a profile's documentation. */
export interface FieldDocumentation {
  readonly name: string
  readonly title: string
  readonly type: string
  readonly required: boolean
  readonly pii: string
  /** Who fills it: the submission, a registry, or the mapping of another field. */
  readonly filled_by: string
  readonly columns: readonly string[]
  readonly labels: readonly string[]
  readonly constraints: readonly string[]
}

function constraintTexts(constraints: Constraints): string[] {
  const { maxLength, pattern, min, max, nonNegative, numbered } = constraints
  return [
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    pattern === undefined ? '' : `matches ${pattern.source}`,
    min === undefined ? '' : `usually at least ${min}`,
    max === undefined ? '' : `usually at most ${max}`,
    nonNegative ? 'not negative' : '',
    numbered ? 'no word without a digit' : ''
  ].filter(text => text !== '')
}

/** What the API documents and the console say about every field of a profile, in its order. */
export function documentation(profile: Profile): FieldDocumentation[] {
  return Object.values(profile.fields).map(field => ({
    name: field.name,
    title: field.title,
    type: field.type,
    required: field.required,
    pii: field.pii,
    filled_by: field.filledBy,
    columns: [field.name, ...field.columns],
    labels: field.labels,
    constraints: [
      ...constraintTexts(field.constraints),
      ...(field.options ? [`one of ${field.options.join(', ')}`] : [])
    ]
  }))
}
