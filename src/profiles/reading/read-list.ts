import type { Json } from '../../model/json.ts'
import type { Reading } from '../../model/reading.ts'
import { foldColumnName } from '../fold-column-name.ts'
import type { Field, ItemSpec, ReadContext } from '../profile.ts'
import { hasLostCharacter, readAs } from './read-value.ts'
import { isStorableJson, parseSourceJson, plainJson, type SourceJson, SourceNumber } from './source-json.ts'

/** Longer lists are other content. */
const MAX_ITEMS = 1000
const SEPARATORS = /[|;\n]/

const INVALID: Reading = { value: null, status: 'invalid', flags: ['FIELD_INVALID'] }
const LOST: Reading = { value: null, status: 'invalid', flags: ['ENCODING_INVALID'] }
const WARNED = ['FIELD_WARNING']

function scalarText(value: SourceJson | undefined): string | null {
  if (value instanceof SourceNumber) return value.text
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : null
}

function isObject(value: SourceJson): value is { [name: string]: SourceJson } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof SourceNumber)
}

const namesOf = (name: string, item: ItemSpec): string[] => [name, ...(item.columns ?? [])].map(foldColumnName)

/** One item read by the field's shape. `isWhole` is false when a member could not be read; it is then left out. */
function readItem(shape: Readonly<Record<string, ItemSpec>>, source: SourceJson, context: ReadContext) {
  const [firstMember = ''] = Object.keys(shape)
  const members = isObject(source) ? source : { [firstMember]: source }
  const left = new Map(Object.entries(members).filter(([, value]) => value !== null))
  const item: Record<string, Json> = {}
  let isWhole = true
  for (const [name, spec] of Object.entries(shape)) {
    const names = namesOf(name, spec)
    const key = [...left.keys()].find(candidate => names.includes(foldColumnName(candidate)))
    if (key === undefined) {
      isWhole &&= !spec.required
      continue
    }
    const text = scalarText(left.get(key))
    const reading = text === null ? INVALID : readAs(spec.type, text, context)
    if (reading.value === null) isWhole &&= reading.status === 'absent'
    else item[name] = reading.value
    if (reading.value !== null) left.delete(key)
  }
  if (left.size > 0) item['extra'] = plainJson(Object.fromEntries(left))
  return { item, isWhole }
}

function elementsOf(raw: string, isJson: boolean): SourceJson[] | null {
  if (!isJson && !raw.startsWith('[')) {
    return raw
      .split(SEPARATORS)
      .map(part => part.trim())
      .filter(part => part !== '')
  }
  try {
    const parsed = parseSourceJson(raw)
    if (!isStorableJson(parsed)) return null
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch {
    return null
  }
}

/**
 * Reads a list: JSON text, or plain text whose parts stand between `|`, `;` or line ends. Members no item has go to
 * the item's `extra`; one that cannot be read stays there as written and flags the list with `FIELD_WARNING`.
 */
export function readList(field: Field, raw: string, isJson: boolean, context: ReadContext): Reading {
  if (hasLostCharacter(raw)) return LOST
  const elements = elementsOf(raw, isJson)
  if (elements === null || elements.length > MAX_ITEMS) return INVALID
  const shape = field.item
  if (shape === undefined) {
    const texts = elements.map(element => scalarText(element))
    if (texts.includes(null)) return INVALID
    return { value: texts, status: 'found', flags: [] }
  }
  const items = elements.map(element => readItem(shape, element, context))
  const flags = items.every(item => item.isWhole) ? [] : WARNED
  return { value: items.map(item => item.item), status: 'found', flags }
}
