import type { RowFault } from '../../model/rows.ts'
import type { Block } from '../text/block.ts'
import { passSpace } from './next-record.ts'
import { RecordParser } from './parse-record.ts'
import { ValueScanner } from './scan-value.ts'

const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const RECORDS = 'records'
/** What lists of records are called where no name inside them says what they are. */
const LIST_NAMES = new Set([RECORDS, 'data', 'features', 'results', 'result', 'items', 'rows', 'entries', 'value'])
/** Members in which features of maps carry their values: GeoJSON's and ArcGIS's. */
const WRAPPERS = new Set(['properties', 'attributes'])
const SHOWN_NAME = 60

/** A list of objects that is a member of the object a file consists of. */
interface List {
  readonly name: string
  /** The unit behind its bracket. */
  readonly inside: number
  /** Names of its first object that mean something to the profile. */
  readonly known: number
}

interface Members {
  readonly lists: readonly List[]
  /** Names beside the lists that mean something to the profile. */
  readonly known: number
  /** The unit behind the object, or −1: it goes on beyond what was seen, or is broken. */
  readonly end: number
}

/** Whether a column of some name means something to the profile. */
type Known = (name: string) => boolean

/**
 * The list of records inside the one object that a file consists of, as it is sent with paging or as a collection of
 * features: its only list of objects, unless the object around is a record itself by its names. `null`: there is none. Two
 * lists are a fault: which of them holds the records is not guessed.
 */
export function recordsInside(block: Block, start: number, known: Known): { at: number } | RowFault | null {
  if (block.codes[start] !== OPEN_OBJECT) return null
  const { lists, known: around, end } = membersOf(block, start, known)
  const [list, other] = lists
  const isWhole = end < 0 || passSpace(block, end) === block.length
  if (list === undefined || !lists.some(entry => isRecords(entry, around, isWhole))) return null
  // What stands behind a list that is called records is held by its reader, as the rest of the file.
  if (other === undefined || list.name === RECORDS) return { at: list.inside }
  const names = [list, other].map(({ name }) => `“${name.slice(0, SHOWN_NAME)}”`).join(' and ')
  return {
    code: 'ROW_UNPARSABLE',
    detail: `the file has two lists of records, ${names}: send each as a file of its own`
  }
}

function isRecords({ name, known }: List, around: number, isWhole: boolean): boolean {
  if (name === RECORDS) return true
  return isWhole && (known > around || (known + around === 0 && LIST_NAMES.has(name.toLowerCase())))
}

function membersOf(block: Block, start: number, known: Known): Members {
  const scanner = new ValueScanner()
  const lists: List[] = []
  let around = 0
  const ended = (end: number): Members => ({ lists, known: around, end })
  for (let at = passSpace(block, start + 1); at < block.length; at = passSpace(block, at + 1)) {
    scanner.begin()
    if (scanner.scan(block, at, block.length) !== 'end') break
    const name = nameOf(block.text.slice(at, scanner.at))
    at = passSpace(block, scanner.at)
    if (block.codes[at] !== COLON) break
    const value = passSpace(block, at + 1)
    const list = listAt(block, { name, at: value, known })
    if (list !== null) lists.push(list)
    else if (known(name)) around++
    scanner.begin()
    if (scanner.scan(block, value, block.length) !== 'end') break
    at = passSpace(block, scanner.at)
    if (block.codes[at] === CLOSE_OBJECT) return ended(at + 1)
    if (block.codes[at] !== COMMA) break
  }
  return ended(-1)
}

/** A list of objects; one that is called `records` may be empty or hold anything. */
function listAt(block: Block, member: { name: string; at: number; known: Known }): List | null {
  const { name, at, known } = member
  if (block.codes[at] !== OPEN_LIST) return null
  const first = passSpace(block, at + 1)
  if (block.codes[first] !== OPEN_OBJECT) return name === RECORDS ? { name, inside: at + 1, known: 0 } : null
  const scanner = new ValueScanner()
  scanner.begin()
  const isWhole = scanner.scan(block, first, block.length) === 'end'
  return { name, inside: at + 1, known: isWhole ? knownNames(block.text.slice(first, scanner.at), known) : 0 }
}

function knownNames(text: string, known: Known): number {
  const content = new RecordParser().parse(text)
  if ('fault' in content) return 0
  return content.names.reduce((count, name, at) => {
    const value = content.values[at]
    const isWrapped = WRAPPERS.has(name) && typeof value === 'object' && value !== null && value.json.startsWith('{')
    return count + (known(name) ? 1 : 0) + (isWrapped ? knownNames(value.json, known) : 0)
  }, 0)
}

/** The name of a member as written; empty for what is none. */
function nameOf(text: string): string {
  try {
    const name: unknown = JSON.parse(text)
    return typeof name === 'string' ? name : ''
  } catch {
    return ''
  }
}
