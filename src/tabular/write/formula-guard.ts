/** What a spreadsheet runs when a cell begins so; their full-width forms count in some of them. */
const RUN = /^'*[=+\-@\t\r\n＝＋－＠]/
/** What the guard makes of such a cell, and of nothing else. */
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/
/** A plain number is no formula. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/**
 * A cell that no spreadsheet runs: an apostrophe goes before one that begins like a formula, and before one that begins
 * with apostrophes and then like a formula, so that `unguardCell` gives back exactly what was given.
 */
export const guardCell = (text: string): string => (RUN.test(text) && !NUMBER.test(text) ? `'${text}` : text)

/** What was guarded. */
export const unguardCell = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text)
