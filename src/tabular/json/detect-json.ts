import type { FormatDecision, JsonFormat } from '../format.ts'
import type { Block } from '../text/block.ts'
import type { EncodingDecision } from '../text/detect-encoding.ts'
import { recordsInside } from './envelope.ts'
import { passSpace } from './next-record.ts'
import { ValueScanner } from './scan-value.ts'

const OPEN_LIST = 91
const OPEN_OBJECT = 123
/** What may follow `[` in JSON, the slips of writers included; anything else is a column name in brackets. */
const IN_LIST = /^\[[ \t\r\n]{0,1000}(?:[[\]{"\d-]|true|false|null|NaN|Infinity|$)/
/** Lines looked at to tell JSON Lines from values written over several lines. */
const SAMPLED_LINES = 20

/** How layouts are called towards people: a file sent as JSON Lines that is none is told by it. */
const LAYOUTS: Readonly<Record<JsonFormat['layout'], string>> = {
  array: 'an array of records',
  sequence: 'records one after another, over several lines each',
  lines: 'one or more whole records a line'
}

/** What is known of a file that may be JSON, as `FormatOptions` says it. */
interface JsonOptions {
  readonly isJson?: boolean
  readonly knownColumn?: (name: string) => boolean
}

/** How a JSON file is laid out, or null for a text that is not JSON. `isJson` is what the sender says, if anything. */
export function detectJson(
  block: Block,
  decided: EncodingDecision,
  { isJson, knownColumn = () => false }: JsonOptions
): FormatDecision | null {
  const start = passSpace(block, 0)
  const first = block.codes[start]
  const isList = first === OPEN_LIST && (isJson === true || IN_LIST.test(block.text.slice(start, start + 1100)))
  if (!isList && first !== OPEN_OBJECT && isJson !== true) return null
  if (isJson === false && !isList && first !== OPEN_OBJECT) return null
  if (isList) return formatOf(block, decided, { layout: 'array', at: start + 1, openObjects: 0 })
  const inside = recordsInside(block, start, knownColumn)
  if (inside !== null && 'code' in inside) return { ok: false, fault: inside }
  if (inside !== null) return formatOf(block, decided, { layout: 'array', ...inside })
  return formatOf(block, decided, { layout: isLines(block, start) ? 'lines' : 'sequence', at: 0, openObjects: 0 })
}

function formatOf(
  block: Block,
  decided: EncodingDecision,
  found: { layout: JsonFormat['layout']; at: number; openObjects: number }
): FormatDecision {
  const format: JsonFormat = {
    kind: 'json',
    encoding: decided.encoding,
    layout: found.layout,
    openObjects: found.openObjects,
    dataOffset: decided.bomBytes + found.at * block.unit,
    dataLine: 1 + block.countLines(0, found.at),
    evidence: { encoding: decided.evidence, layout: LAYOUTS[found.layout] }
  }
  return { ok: true, format }
}

/** Whether the first line that is not blank, or at least half of the first ones, hold whole objects only. */
function isLines(block: Block, start: number): boolean {
  let lines = 0
  let whole = 0
  let isFirstWhole = false
  let at = start
  while (at < block.length && lines < SAMPLED_LINES) {
    const end = block.lineEnd(at)
    if (end === block.length && !block.final) break
    if (passSpace(block, at) < end) {
      lines++
      if (isWhole(block, at, end)) whole++
      if (lines === 1) isFirstWhole = whole === 1
    }
    at = block.afterLineEnd(end)
  }
  return isFirstWhole || (whole > 0 && whole * 2 >= lines)
}

function isWhole(block: Block, start: number, end: number): boolean {
  const scanner = new ValueScanner()
  let at = passSpace(block, start)
  while (at < end) {
    if (block.codes[at] !== OPEN_OBJECT) return false
    scanner.begin()
    if (scanner.scan(block, at, end) !== 'end') return false
    at = passSpace(block, scanner.at)
  }
  return true
}
