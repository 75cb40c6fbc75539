import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import type { Json } from '../../src/model/json.ts'

/** One document and what a careful person reads in it. */
export interface Entry {
  /** Relative to the folder of the truth. */
  readonly path: string
  readonly profile: 'policy' | 'lease'
  /** Null where the document does not say. Fields left out are not judged. */
  readonly fields: Readonly<Record<string, Json>>
  /** True for a document that is no record of its profile: it must not be accepted, and its answers count for nothing. */
  readonly isOther?: boolean
  /** Other answers that are right. */
  readonly alternates?: Readonly<Record<string, readonly Json[]>>
}

export interface Truth {
  readonly root: string
  readonly entries: readonly Entry[]
}

export const REQUIRED: Readonly<Record<Entry['profile'], readonly string[]>> = {
  policy: ['policy_number', 'named_insured', 'effective_date', 'expiration_date', 'premium_total'],
  lease: ['tenant_name', 'lease_start', 'lease_end', 'base_rent', 'property_address']
}

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.md': 'text/markdown',
  '.txt': 'text/plain'
}

interface Manifest {
  readonly batches: readonly {
    readonly profile: string
    readonly records: readonly { readonly file: string; readonly fields?: Readonly<Record<string, Json>> }[]
  }[]
}

const isDocumentProfile = (name: string): name is Entry['profile'] => name === 'policy' || name === 'lease'

/** Reads a truth: lines of entries, or a manifest of samples (`*.json`), of which only those with fields count. */
export function readTruth(file: string): Truth {
  const text = readFileSync(file, 'utf8')
  if (extname(file) !== '.json') {
    const lines = text.split('\n').filter(Boolean)
    return { root: dirname(file), entries: lines.map(line => JSON.parse(line) as Entry) }
  }
  const { batches } = JSON.parse(text) as Manifest
  const entries = batches.flatMap(({ profile, records }) =>
    isDocumentProfile(profile)
      ? records.flatMap(({ file: path, fields }) => (fields ? [{ path, profile, fields }] : []))
      : []
  )
  return { root: dirname(file), entries }
}

/** Every document of a folder, none of which is a record of the profile. */
export function folderTruth(root: string, profile: Entry['profile']): Truth {
  const names = readdirSync(root).filter(name => Object.hasOwn(MEDIA_TYPES, extname(name)))
  return { root, entries: names.map(path => ({ path, profile, fields: {} })) }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const squash = (value: Json): string =>
  textOf(value)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:"']+|[\s.,;:"']+$/g, '')
const bare = (value: Json): string => squash(value).replace(/[^\p{L}\p{N}]/gu, '')
const isDecimal = (value: Json): boolean => /^-?\d+(?:\.\d+)?$/.test(textOf(value))

export function sameValue(expected: Json, actual: Json | undefined): boolean {
  if (expected === null) return actual === null || actual === undefined || actual === ''
  if (actual === null || actual === undefined) return false
  if (Array.isArray(expected)) {
    const parts: readonly Json[] = Array.isArray(actual) ? actual : [actual]
    return expected.every(value => parts.some(part => sameValue(value, part) || bare(part).includes(bare(value))))
  }
  if (isDecimal(expected) && isDecimal(actual)) {
    if (/^-?0\d/.test(textOf(expected)) || /^-?0\d/.test(textOf(actual))) return textOf(expected) === textOf(actual)
    return Number(expected) === Number(actual)
  }
  return squash(expected) === squash(actual) || (bare(expected) !== '' && bare(expected) === bare(actual))
}

export type Verdict = 'correct' | 'wrong' | 'missing'

/** Judges one answer: case, white space and marks at the ends aside; amounts by value. */
export function verdictOf(entry: Entry, name: string, value: Json | undefined): Verdict {
  const rights = [entry.fields[name] ?? null, ...(entry.alternates?.[name] ?? [])]
  if (rights.some(right => sameValue(right, value))) return 'correct'
  return value === null || value === undefined ? 'missing' : 'wrong'
}
