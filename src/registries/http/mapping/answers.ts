import type { Json } from '../../../model/json.ts'
import { type Answer, MAX_CANDIDATES, RegistryFault, type RegistryKind, type RegistryRecord } from '../../registry.ts'
import type { Rows } from './ask-in-halves.ts'
import { readDate } from './dates.ts'
import { type Get, readKey, readValue } from './read-value.ts'
import { type Mapping, typeOf } from './rules.ts'

/** How rows become records. */
export interface RowReader<Row> {
  readonly kind: RegistryKind
  readonly mapping: Mapping
  readonly get: Get<Row>
}

/** What one row tells about its key. */
export interface Found {
  readonly record: RegistryRecord
  readonly asOf: string | undefined
}

/** The name under which a record tells its own key. */
const ID_NAMES: Readonly<Partial<Record<RegistryKind, string>>> = {
  parcel: 'parcelId',
  zoning: 'parcelId',
  property: 'propertyId'
}

function asOfOf(value: Json): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return readDate(typeof value === 'string' ? value.trim() : value)
}

/** Reads one row as what is known about a key. Throws `RegistryFault` when its attributes are not as configured. */
export function readRow<Row>(row: Row, key: string, { kind, mapping, get }: RowReader<Row>): Found {
  const id = ID_NAMES[kind]
  const fields = Object.entries(mapping.fields).flatMap(([name, rule]) =>
    rule === undefined ? [] : [[name, readValue(row, rule, get, typeOf(name))] as const]
  )
  const asOf = mapping.asOf === undefined ? null : (get(row, mapping.asOf) ?? null)
  return { record: Object.fromEntries([...(id ? [[id, key] as const] : []), ...fields]), asOf: asOfOf(asOf) }
}

/** Those that tell different things, each once. */
export function distinctOf(found: readonly Found[]): readonly Found[] {
  const byText = new Map(found.map(one => [JSON.stringify(one.record), one]))
  return [...byText.values()]
}

/** The answer from all that was found; `isCut`: there is more. Throws `RegistryFault` when that might be of use. */
export function answerOf(found: readonly Found[], isCut: boolean): Answer {
  const [first, ...others] = found
  // Of as many as are shown it does not matter how many more there are; of fewer, those that are missing would be shown.
  if (isCut && found.length < MAX_CANDIDATES) throw new RegistryFault('transient', 'truncated')
  if (!first) return { kind: 'no_match' }
  if (others.length === 0) {
    return { kind: 'match', value: first.record, ...(first.asOf === undefined ? {} : { asOf: first.asOf }) }
  }
  const candidates = found.slice(0, MAX_CANDIDATES).map(one => one.record)
  return { kind: 'several', candidates, ...(isCut || found.length > MAX_CANDIDATES ? { more: true } : {}) }
}

/** A key as a careless comparison sees it: databases that ignore case, padding or signs give such rows for another key. */
const loosely = (key: string): string =>
  key
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '')

/** Shorter keys stand in many others by chance. */
const TELLING_LENGTH = 6

/** Tells whether a row whose key was not asked can be due to the question: its key is written like one asked, or holds one. */
function createRelation(keys: readonly string[]): (stranger: string) => boolean {
  const asked = new Set(keys.map(loosely))
  const telling = [...asked].filter(key => key.length >= TELLING_LENGTH)
  return stranger => {
    const loose = loosely(stranger)
    return (loose !== '' && asked.has(loose)) || telling.some(key => loose.includes(key))
  }
}

/**
 * Rows by the key they are about, for every key asked. A row whose key is another than asked is ignored when the two are
 * related (a search that compares loosely); a row that has nothing to do with any key asked shows that the reply is not about
 * our question, and nothing of it is used (`wrong_keys`, transient): an absence read from it could be false.
 */
export function groupByKey<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string | null
): ReadonlyMap<string, readonly Row[]> {
  const byKey = new Map<string, Row[]>(keys.map(key => [key, []]))
  const strangers: string[] = []
  for (const row of rows) {
    const key = keyOf(row) ?? ''
    const known = byKey.get(key)
    if (known) known.push(row)
    else strangers.push(key)
  }
  if (strangers.length > 0) {
    const isRelated = createRelation(keys)
    if (!strangers.every(isRelated)) throw new RegistryFault('transient', 'wrong_keys')
  }
  return byKey
}

/** Answers by key from whole replies. Throws `RegistryFault` when they are not what was asked for. */
export function answersOf<Row>(
  keys: readonly string[],
  { rows, cut }: Rows<Row>,
  reader: RowReader<Row>
): ReadonlyMap<string, Answer> {
  const { mapping, get } = reader
  const byKey = groupByKey(keys, rows, row => readKey(row, mapping.key, get))
  const answers = new Map<string, Answer>()
  for (const [key, its] of byKey) {
    const found = its.map(row => readRow(row, key, reader))
    const isCut = cut.has(key)
    answers.set(key, answerOf(mapping.distinct && !isCut ? distinctOf(found) : found, isCut))
  }
  return answers
}
