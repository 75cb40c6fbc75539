import { foldShort } from '../../normalize/text.ts'

/** Longer text is no name. */
const MAX_NAME_LENGTH = 300

/** Forms of companies, each under the one it is compared as; an article says nothing. */
const FORMS: ReadonlyMap<string, string> = new Map(
  'INC,INCORPORATED|CORP,CORPORATION|CO,COMPANY|LLC|LTD,LIMITED|LP|LLP|LLLP|PLLC|PC|PA|TR,TRUST,TRUSTEE,TRUSTEES,TTEE,TTEES|ASSN,ASSOC,ASSOCIATION|&,AND'
    .split('|')
    .flatMap(entry => entry.split(',').map(word => [word, entry.split(',')[0] ?? ''] as const))
)
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bLIMITED LIABILITY (?:COMPANY|CO)\b/g, 'LLC'],
  [/\bLIMITED LIABILITY PARTNERSHIP\b/g, 'LLP'],
  [/\bLIMITED PARTNERSHIP\b/g, 'LP'],
  [/\bL L C\b/g, 'LLC'],
  [/\bL L P\b/g, 'LLP'],
  [/\bL P\b/g, 'LP']
]
/** Words that tell a company, a public body or a trust from a person. */
const ORGANISATION =
  /\b(?:INC|LLC|CORP|CO|LTD|LP|LLP|LLLP|PLLC|PC|PA|TR|ASSN|CITY|COUNTY|STATE|TOWN|VILLAGE|DISTRICT|CHURCH|BANK|PARTNERS|PROPERTIES|HOLDINGS|ENTERPRISES|GROUP|HOMES|BUILDERS|DEVELOPMENT|UNIVERSITY|SCHOOL)\b/
/** Words around a name that are none of it. */
const SILENT = new Set(['THE', 'MR', 'MRS', 'MS', 'DR', 'ET', 'AL', 'JR', 'SR'])

/** Words of a name as they are compared: capitals without marks, forms under one spelling. */
function wordsOf(name: string): string[] {
  const plain = foldShort(name, MAX_NAME_LENGTH)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}&]+/gu, ' ')
    .trim()
  const text = PHRASES.reduce((folded, [phrase, form]) => folded.replace(phrase, form), plain)
  return text
    .split(' ')
    .map(word => FORMS.get(word) ?? word)
    .filter(word => word !== '' && word !== '&' && !SILENT.has(word))
}

/** Whether each word of one list finds a word of its own in the other: the same, or its initial. */
function coversAll(words: readonly string[], others: readonly string[]): boolean {
  const left = [...others]
  return words
    .toSorted((a, b) => b.length - a.length)
    .every(word => {
      const same = left.indexOf(word)
      const at = same >= 0 ? same : left.findIndex(other => isInitialOf(word, other) || isInitialOf(other, word))
      if (at < 0) return false
      left.splice(at, 1)
      return true
    })
}

const isInitialOf = (short: string, long: string): boolean => short.length === 1 && long.startsWith(short)

/** Persons: the fewer words all stand among the others, in any order, two of them in full; a middle name may be left out. */
function isSamePerson(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  if (few.length < 2) return few.length === many.length && few[0] === many[0]
  const inFull = few.filter(word => word.length > 1 && many.includes(word)).length
  return inFull >= 1 && coversAll(few, many) && many.length - few.length <= 1 && (inFull >= 2 || hasInitial(few, many))
}

const hasInitial = (a: readonly string[], b: readonly string[]): boolean => [...a, ...b].some(word => word.length === 1)

/**
 * Whether two names can be of one owner: order of given and family names, initials, a middle name, punctuation, case and
 * the spelling of a company's form do not tell them apart; another word of a company's name does.
 */
export function isSameName(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  if (left.length === 0 || right.length === 0) return false
  if (left.join(' ') === right.join(' ')) return true
  if (ORGANISATION.test(left.join(' ')) || ORGANISATION.test(right.join(' '))) {
    return left.length === right.length && left.toSorted().join(' ') === right.toSorted().join(' ')
  }
  return isSamePerson(left, right)
}
