import type { Reading, ReadingContext } from '../../model/reading.ts'
import { identifierKey, readIdentifier } from '../identifier.ts'
import { isPlausibleTail } from '../ocr.ts'
import { absent, withFlags } from '../outcome.ts'

/** A policy number as printed, and its key for comparing. */
export interface PolicyNumberReading extends Reading<string> {
  readonly key: string | null
}

const LABEL = /^(?:policy|pol\.?|certificate|contract|binder) ?(?:number|no\.?|num\.?|#|id)?:? ?(?=[A-Z\d(])/i
const PLACEHOLDER = /^(?:binder|pending|new|new business|quote)$/i
/** NCCI: the number of a workers compensation policy has at most 18 letters and digits. */
const MAX_WORKERS_COMP = 18
const SHORTEST = 4
/** Anything else beside the number (another label, a second number) is not cut off by guessing. */
const SHAPE = /^[A-Z\d][A-Z\d ()/.-]{2,47}$/i

/**
 * A policy number as printed without its label. It needs a digit and four letters or digits, else invalid.
 * Recognised text with a look-alike between digits is kept and flagged `OCR_SUSPECT`: identifiers are not repaired.
 */
export function readPolicyNumber(raw: string, context: ReadingContext, line?: string): PolicyNumberReading {
  const reading = readIdentifier(raw, context)
  if (reading.value === null) return { ...reading, key: null }
  const text = reading.value.replace(LABEL, '')
  if (PLACEHOLDER.test(text)) return { ...absent('PLACEHOLDER'), key: null }
  const key = identifierKey(text)
  if (!SHAPE.test(text) || key.length < SHORTEST || !/\d/.test(key))
    return { value: null, status: 'invalid', flags: ['FIELD_INVALID'], key: null }
  const flags: string[] = []
  const bare = line === 'workers_comp' ? key.replace(/^WC/, '') : key
  if (line === 'workers_comp' && bare.length > MAX_WORKERS_COMP) flags.push('WC_POLICY_NUMBER_TOO_LONG')
  if (context.source === 'ocr' && isPlausibleTail(key)) flags.push('OCR_SUSPECT')
  return { ...withFlags({ ...reading, value: text }, flags), key }
}
