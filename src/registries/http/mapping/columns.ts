import type { FieldRule, Mapping } from './rules.ts'

const sourcesOf = (rule: FieldRule): readonly string[] => {
  const from = typeof rule === 'string' ? rule : rule.from
  return typeof from === 'string' ? [from] : from
}

/** The columns a mapping reads, each once. */
export function columnsOf({ key, fields, asOf }: Mapping): readonly string[] {
  const rules = Object.values(fields).filter(rule => rule !== undefined)
  return [...new Set([key.from, ...rules.flatMap(sourcesOf), ...(asOf === undefined ? [] : [asOf])])]
}
