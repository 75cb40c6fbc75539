import { foldColumnName } from '../../fold-column-name.ts'
import type { Field, Profile } from '../../profile.ts'
import { sentFields } from '../source-options.ts'

/** Names this much alike are worth a person's look; below it they share letters by chance. */
const LEAST_LIKENESS = 0.6
const MOST_SUGGESTED = 3
/** Longer headings are sentences; wider files are compared up to here. */
const LONGEST_NAME = 60
const MOST_COLUMNS = 100

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 2 <= text.length; at += 1) {
    const pair = text.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** Share of the letter pairs two folded names have in common, 0–1 (Dice). */
function likeness(left: string, right: string): number {
  if (left === right) return 1
  const total = Math.max(left.length - 1, 0) + Math.max(right.length - 1, 0)
  if (total === 0) return 0
  const theirs = pairsOf(right)
  let common = 0
  for (const [pair, count] of pairsOf(left)) common += Math.min(count, theirs.get(pair) ?? 0)
  return (2 * common) / total
}

function likenessTo(field: Field, folded: string): number {
  if (field.hints.some(hint => foldColumnName(hint) === folded)) return 1
  const names = [field.name, ...field.columns, ...field.fallbacks]
  return Math.max(...names.map(name => likeness(folded, foldColumnName(name))))
}

/** Of the columns that no field has, those whose names come closest to a field, the closest first. */
export function likelyColumns(field: Field, names: readonly string[]): string[] {
  return names
    .slice(0, MOST_COLUMNS)
    .filter(name => name.length <= LONGEST_NAME)
    .map(name => ({ name, score: likenessTo(field, foldColumnName(name)) }))
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_SUGGESTED)
    .map(({ name }) => name)
}

/**
 * For a row that may be a header: columns by their number that come close to a field, as `column 2 may be parcel_id`. What
 * stands in them is left out, since it may be a record.
 */
export function suggestFields(profile: Profile, names: readonly string[]): string[] {
  const fields = sentFields(profile).flatMap(name => profile.fields[name] ?? [])
  const found = names.slice(0, MOST_COLUMNS).flatMap((name, at) => {
    if (name.length > LONGEST_NAME) return []
    const folded = foldColumnName(name)
    const scored = fields.map(field => ({ at, field: field.name, score: likenessTo(field, folded) }))
    return scored.toSorted((a, b) => b.score - a.score).slice(0, 1)
  })
  return found
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MOST_SUGGESTED)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, field }) => `column ${at + 1} may be ${field}`)
}
