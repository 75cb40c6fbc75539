const UNITS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'] as const
const FROM_TEN = [
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth'
] as const
const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, index) => [word, index + 1] as const),
  ...FROM_TEN.map((word, index) => [word, index + 10] as const),
  ...UNITS.map((word, index) => [`twenty-${word}`, index + 21] as const),
  ['thirtieth', 30] as const,
  ['thirty-first', 31] as const
])

/** The number of an English ordinal word from `first` to `thirty-first`, or null. */
export function ordinalOfWord(word: string): number | null {
  return ORDINALS.get(word.toLowerCase()) ?? null
}
