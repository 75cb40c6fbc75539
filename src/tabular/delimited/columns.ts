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
