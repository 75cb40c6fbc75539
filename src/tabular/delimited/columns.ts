/** Column names as compared: NFKC, lower case, runs of space, line ends, `_` and `-` folded. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(part => part !== '')
    .join(' ')
}

/** A name as shown: white space, line ends included, folded to single spaces. */
export function tidyName(name: string): string {
  return name
    .split(/\s+/)
    .filter(part => part !== '')
    .join(' ')
}

/**
 * The columns a header row makes: cells up to the last named one, a nameless one between named ones called by its
 * ordinal from 1.
 */
export function columnsOf(header: readonly string[]): string[] {
  const tidy = header.map(tidyName)
  const width = tidy.findLastIndex(name => name !== '') + 1
  return tidy.slice(0, width).map((name, index) => (name === '' ? ordinalName(tidy, index) : name))
}

function ordinalName(names: readonly string[], index: number): string {
  let name = String(index + 1)
  while (names.includes(name)) name = `#${name}`
  return name
}

/** For each column the earlier one of the same folded name, or −1. */
export function twinsOf(columns: readonly string[]): number[] {
  const folded = columns.map(foldName)
  return folded.map((name, index) => {
    const first = folded.indexOf(name)
    return name !== '' && first < index ? first : -1
  })
}

/** Longer names are cut where people are told of them. */
const SHOWN_NAME = 60

/** Names the column of a cell, counted from 0, as a fault does: what its origin holds, and words for people. */
export function columnAt(
  columns: readonly string[],
  index: number
): { readonly column: string; readonly words: string } {
  const ordinal = String(index + 1)
  const name = columns[index]
  if (name === undefined) return { column: ordinal, words: `in column ${ordinal}, beyond the last one` }
  if (name === ordinal) return { column: name, words: `in column ${ordinal}` }
  return { column: name, words: `in column ${ordinal} “${name.slice(0, SHOWN_NAME)}”` }
}
