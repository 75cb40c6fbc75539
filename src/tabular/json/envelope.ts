import type { RowFault } from '../../model/rows.ts'
import type { Block } from '../text/block.ts'
import { passSpace } from './next-record.ts'
import { RecordParser } from './parse-record.ts'
import { ValueScanner } from './scan-value.ts'

const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const OPEN_OBJECT = 123
const CLOSE_LIST = 93
const CLOSE_OBJECT = 125
const RECORDS = 'records'
/** What lists of records are called where no name inside them says what they are. */
const LIST_NAMES = new Set([RECORDS, 'data', 'features', 'results', 'result', 'items', 'rows', 'entries', 'value'])
/** Members in which features of maps and found documents carry their values: GeoJSON's, ArcGIS's and Elasticsearch's. */
const WRAPPERS = new Set(['properties', 'attributes', '_source'])
const SHOWN_NAME = 60

/** What lists are called that are no records when they are empty: what was asked for has none. */
const EMPTY_NAMES = new Set([
  ...LIST_NAMES,
  'hits',
  'content',
  'documents',
  'permits',
  'applications',
  'policies',
  'leases'
])
/** Lists of objects that tell about the records beside them, as ArcGIS and OData send them, and hold none. */
const METADATA = new Set(['fields', 'columns', 'links'])
/** Objects that may stand around the object that holds the list: `{"response":{"data":{"permits":[…]}}}`. */
const MAX_AROUND = 3

/** Names that records in an object beside the list of records have at least: a single one may be what something is counted by. */
const LEAST_KNOWN = 2

/** Whether a list of this name says what the records beside it are. */
export const isMetadata = (name: string): boolean => METADATA.has(name.toLowerCase())

/** A list of objects that is a member of the object a file consists of, or of one inside it. */
interface List {
  readonly name: string
  /** The unit behind its bracket. */
  readonly inside: number
  /** Names of its first object that mean something to the profile. */
  readonly known: number
  /** The objects around it, from the outermost. */
  readonly around: readonly Around[]
}

/** An object around a list: how many of its other members mean something to the profile. */
interface Around {
  known: number
}

interface Members {
  readonly lists: List[]
  /** Names of lists without an element. */
  readonly empty: string[]
  /** The unit behind the object, or −1: it goes on beyond what was seen, or is broken. */
  end: number
}

/** Whether a column of some name means something to the profile. */
type Known = (name: string) => boolean

/** Where the list of records begins, and how many objects are open around it. */
export interface Inside {
  readonly at: number
  readonly openObjects: number
}

/**
 * The list of records inside the one object that a file consists of, as it is sent with paging or as a collection of
 * features: its only list of objects, or the only one in objects inside it, unless an object around is a record itself by
 * its names. `null`: there is none. Two lists are a fault: which of them holds the records is not guessed.
 */
export function recordsInside(block: Block, start: number, known: Known): Inside | RowFault | null {
  if (block.codes[start] !== OPEN_OBJECT) return null
  const { lists, empty, end } = membersOf(block, { at: start, around: [] }, known)
  const isWhole = end < 0 || passSpace(block, end) === block.length
  const outer = lists.filter(({ around }) => around.length === 1)
  const inner = lists.filter(list => list.around.length > 1 && list.known >= LEAST_KNOWN && isRecords(list, isWhole))
  const told = outer.some(list => isRecords(list, isWhole)) ? [...outer, ...inner] : lists
  if (!told.some(list => isRecords(list, isWhole))) {
    const [name] = empty
    const isEmpty = name !== undefined && lists.length === 0 && end >= 0 && isWhole
    return isEmpty ? { code: 'FILE_EMPTY', detail: `the list “${name.slice(0, SHOWN_NAME)}” holds nothing` } : null
  }
  const [list, other] = told.filter(({ name }) => !isMetadata(name))
  if (list === undefined) return null
  // What stands behind a list that is called records is held by its reader, as the rest of the file.
  const isBehind = list.name === RECORDS && other?.around.length === 1
  if (other === undefined || isBehind) return { at: list.inside, openObjects: list.around.length }
  const names = [list, other].map(({ name }) => `“${name.slice(0, SHOWN_NAME)}”`).join(' and ')
  return {
    code: 'ROW_UNPARSABLE',
    detail: `the file has two lists of records, ${names}: send each as a file of its own`
  }
}

function isRecords({ name, known, around }: List, isWhole: boolean): boolean {
  if (name === RECORDS && around.length === 1) return true
  if (isMetadata(name)) return false
  const others = around.reduce((sum, object) => sum + object.known, 0)
  return isWhole && (known > others || (known + others === 0 && LIST_NAMES.has(name.toLowerCase())))
}

/** Collects the lists in an object and in the objects inside it. */
function membersOf(block: Block, object: { at: number; around: readonly Around[] }, known: Known): Members {
  const scanner = new ValueScanner()
  const own: Around = { known: 0 }
  const around = [...object.around, own]
  const members: Members = { lists: [], empty: [], end: -1 }
  for (let at = passSpace(block, object.at + 1); at < block.length; at = passSpace(block, at + 1)) {
    scanner.begin()
    if (scanner.scan(block, at, block.length) !== 'end') break
    const name = nameOf(block.text.slice(at, scanner.at))
    at = passSpace(block, scanner.at)
    if (block.codes[at] !== COLON) break
    const value = passSpace(block, at + 1)
    const list = listAt(block, { name, at: value, known, around })
    if (list !== null) members.lists.push(list)
    else if (known(name)) own.known++
    if (list === null && around.length === 1 && isEmptyList(block, value, name)) members.empty.push(name)
    if (block.codes[value] === OPEN_OBJECT && around.length <= MAX_AROUND) {
      members.lists.push(...membersOf(block, { at: value, around }, known).lists)
    }
    scanner.begin()
    if (scanner.scan(block, value, block.length) !== 'end') break
    at = passSpace(block, scanner.at)
    if (block.codes[at] === CLOSE_OBJECT) {
      members.end = at + 1
      break
    }
    if (block.codes[at] !== COMMA) break
  }
  return members
}

function isEmptyList(block: Block, at: number, name: string): boolean {
  return (
    block.codes[at] === OPEN_LIST &&
    block.codes[passSpace(block, at + 1)] === CLOSE_LIST &&
    EMPTY_NAMES.has(name.toLowerCase())
  )
}

/** A list of objects; one that is called `records` may be empty or hold anything. */
function listAt(
  block: Block,
  member: { name: string; at: number; known: Known; around: readonly Around[] }
): List | null {
  const { name, at, known, around } = member
  if (block.codes[at] !== OPEN_LIST) return null
  const first = passSpace(block, at + 1)
  if (block.codes[first] !== OPEN_OBJECT) {
    return name === RECORDS && around.length === 1 ? { name, inside: at + 1, known: 0, around } : null
  }
  const scanner = new ValueScanner()
  scanner.begin()
  const isWhole = scanner.scan(block, first, block.length) === 'end'
  const count = isWhole ? knownNames(block.text.slice(first, scanner.at), known) : 0
  return { name, inside: at + 1, known: count, around }
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
