import type { FieldRule, Mapping } from './rules.ts'

const sourcesOf = (rule: FieldRule): readonly string[] => {
  const from = typeof rule === 'string' ? rule : rule.from
  return typeof from === 'string' ? [from] : from
}

/** The columns that values are read from, each once. */
export function valueColumnsOf({ fields, asOf }: Omit<Mapping, 'key'>): readonly string[] {
  const rules = Object.values(fields).filter(rule => rule !== undefined)
  return [...new Set([...rules.flatMap(sourcesOf), ...(asOf === undefined ? [] : [asOf])])]
}

/** All columns a mapping reads, each once. */
export const columnsOf = (mapping: Mapping): readonly string[] => [
  ...new Set([mapping.key.from, ...valueColumnsOf(mapping)])
]
