import type { Reading, ReadingContext } from '../model/reading.ts'
import { readAbsence } from './absence.ts'
import { absent, found, invalid, MAX_VALUE_LENGTH } from './outcome.ts'
import { foldShort, foldText } from './text.ts'

/** Longest identifier kept; longer text in an identifier field is a shifted column. */
const MAX_IDENTIFIER_LENGTH = 200
const PLAIN = /^[A-WYZa-wyz]{0,8}-?\d[\d-]*$/
const COERCED = /^[-+]?\d{1,20}(?:[.,]\d{0,20}e[-+]?|e\+)\d{1,3}$/i
/** What data frames write for an empty cell, and JSON's truth values: no office numbers anything so. */
const NOT_A_NUMBER = /^(?:nan|<na>|nat)$/i
const TRUTH = /^(?:true|false)$/
const JSON_NUMBER = /^-?\d+(?:\.\d+)?$/
const HIDDEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/

/**
 * An identifier as text, white space folded, otherwise as written: leading zeros, case and separators stay.
 * `1.70312E+13` is `ID_NUMERIC_COERCED` (a spreadsheet lost digits, it is never expanded) while
 * `860914e1` is kept. A JSON number is kept by its source text and flagged `COERCED_TO_STRING`.
 */
export function readIdentifier(raw: string, context: ReadingContext): Reading<string> {
  if (context.source !== 'json' && raw.length <= 40 && PLAIN.test(raw)) return found(raw)
  if (raw.length > MAX_IDENTIFIER_LENGTH * 2) return invalid(['FIELD_INVALID'])
  const text = foldText(raw)
  const absence = readAbsence(text)
  if (absence) return absence
  if (text.length > MAX_IDENTIFIER_LENGTH) return invalid(['FIELD_INVALID'])
  if (NOT_A_NUMBER.test(text)) return absent('PLACEHOLDER')
  if (context.source === 'json' && TRUTH.test(text)) return invalid(['FIELD_INVALID'])
  // A character was lost before this file was written, and what it was decides which thing is named.
  if (text.includes('\ufffd')) return invalid(['ENCODING_INVALID'])
  if (COERCED.test(text)) return invalid(['ID_NUMERIC_COERCED'])
  if (context.source === 'json' && JSON_NUMBER.test(text)) return found(text, ['COERCED_TO_STRING'])
  return HIDDEN.test(text) ? found(text, ['HIDDEN_CHARACTERS']) : found(text)
}

/** An identifier without separators and case, for look-ups and comparisons only; empty for text too long to be one. */
export function identifierKey(raw: string): string {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  return text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
