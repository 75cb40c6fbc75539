const MARKS = /\p{M}/gu
const NOT_LETTERS = /[^\p{L}\p{N}]/gu

/** Longer names are no column names but content; they are cut so that folding stays cheap. */
const MAX_NAME = 200

/**
 * The form in which column names are compared: case, accents, punctuation, spaces and underscores do not count,
 * and `#` reads as `no`, so that `Permit #`, `PERMIT_NO` and `permitNo` are one name.
 */
export function foldColumnName(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .replaceAll('#', 'no')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(NOT_LETTERS, '')
}
