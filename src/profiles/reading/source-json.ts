import type { Json } from '../../model/json.ts'

/** A JSON number by its source text, so that no digit is lost to a float. */
export class SourceNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type SourceJson = string | boolean | null | SourceNumber | SourceJson[] | { [name: string]: SourceJson }

/** The third argument of a reviver (source text access) is newer than its declared type. */
function keepNumber(_key: string, value: unknown, ...rest: readonly { readonly source?: string }[]): unknown {
  const source = rest[0]?.source
  return typeof value === 'number' && source !== undefined ? new SourceNumber(source) : value
}

/**
 * Parses JSON text and keeps every number as written.
 * @throws SyntaxError for text that is not JSON.
 */
export function parseSourceJson(text: string): SourceJson {
  const parsed: SourceJson = JSON.parse(text, keepNumber)
  return parsed
}

/** Whether a database's text can hold every name and text in it: an escape may write NUL or half of a character. */
export function isStorableJson(value: SourceJson): boolean {
  if (value instanceof SourceNumber) return true
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorableJson)
  return Object.entries(value).every(([name, member]) => isStorableJson(name) && isStorableJson(member))
}

/** A number stays one only when its shortest form is its source text; else it is kept as text. */
function plainNumber(text: string): Json {
  const number = Number(text)
  return String(number) === text ? number : text
}

/** Plain JSON without loss: numbers a float cannot hold as written become text. `__proto__` is a member like others. */
export function plainJson(value: SourceJson): Json {
  if (value instanceof SourceNumber) return plainNumber(value.text)
  if (Array.isArray(value)) return value.map(plainJson)
  if (typeof value !== 'object' || value === null) return value
  const plain: Record<string, Json> = Object.create(null)
  for (const name of Object.keys(value)) plain[name] = plainJson(value[name] ?? null)
  return plain
}
