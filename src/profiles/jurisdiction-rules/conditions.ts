import type { Fields } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { foldShort } from '../../normalize/text.ts'
import type { When } from './schema.ts'

/** Longer values are no codes, names of classes or types. */
const MAX_WORD_LENGTH = 200

/** A value as rules compare it: without regard to case and white space. Null: no value that rules can compare. */
export function wordOf(value: Json | undefined): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? foldShort(value, MAX_WORD_LENGTH).toLowerCase() : null
}

/** Whether a word is one of a list. */
export function listOf(words: readonly string[]): (word: string) => boolean {
  const folded = new Set(words.map(word => wordOf(word) ?? ''))
  return word => folded.has(word)
}

/** A list whose entries may end in `*`, which stands for anything. */
export function patternsOf(words: readonly string[]): (word: string) => boolean {
  const isListed = listOf(words)
  const starts = words.filter(word => word.endsWith('*')).map(word => wordOf(word.slice(0, -1)) ?? '')
  return word => isListed(word) || starts.some(start => word.startsWith(start))
}

/** Whether a condition holds for a record. */
export function conditionOf(when: When): (fields: Fields) => boolean {
  if (when === undefined) return () => true
  const isListed = listOf(when.in)
  return fields => {
    const word = wordOf(fields[when.field]?.value)
    return word !== null && isListed(word)
  }
}
