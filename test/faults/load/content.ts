import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../harness/random.ts'

/** What is in every applicant's name: wherever it is found outside the tables and payloads, a value has leaked. */
export const CANARY = 'QZXCANARY'

/** What a client sends in one request, and what must come of it. */
export interface Submission {
  readonly profile: 'permit' | 'policy' | 'lease'
  readonly kind: 'csv' | 'json' | 'ndjson' | 'single' | 'document'
  readonly type: string
  readonly filename: string
  readonly bytes: Buffer
  /** Records that must be found in it; null where that depends on the reading of a document. */
  readonly records: number | null
  /** Planted among them. */
  readonly invalid: number
  readonly repeated: number
}

const COLUMNS = ['submission_id', 'permit_type_code', 'parcel_id', 'project_valuation', 'applicant_name'] as const
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>

/** Every so many rows one lacks its parcel and is held, and one is the row before it once more. */
const INVALID_EVERY = 97
const REPEATED_EVERY = 89

function rowsOf(chance: Chance, tag: string, count: number): { rows: Row[]; invalid: number; repeated: number } {
  const rows: Row[] = []
  let invalid = 0
  let repeated = 0
  for (let i = 0; i < count; i += 1) {
    const before = rows.at(-1)
    if (before && before.parcel_id !== '' && i % REPEATED_EVERY === REPEATED_EVERY - 1) {
      rows.push(before)
      repeated += 1
      continue
    }
    const isInvalid = i % INVALID_EVERY === INVALID_EVERY - 1
    if (isInvalid) invalid += 1
    rows.push({
      submission_id: `${tag}-${i}`,
      permit_type_code: chance.pick(['roof', 'deck', 'plumbing', 'electrical']),
      parcel_id: isInvalid ? '' : `${chance.between(100_000, 999_999)}-${chance.between(1000, 9999)}`,
      project_valuation: `${chance.between(1, 900_000)}.00`,
      applicant_name: `${CANARY} ${tag} ${i}`
    })
  }
  return { rows, invalid, repeated }
}

const lineOf = (row: Row): string => COLUMNS.map(column => row[column]).join(',')

const FORMS = {
  csv: {
    type: 'text/csv',
    filename: 'permits.csv',
    write: (rows: readonly Row[]) => `${[COLUMNS.join(','), ...rows.map(lineOf)].join('\n')}\n`
  },
  json: { type: 'application/json', filename: 'permits.json', write: (rows: readonly Row[]) => JSON.stringify(rows) },
  ndjson: {
    type: 'application/x-ndjson',
    filename: 'permits.ndjson',
    write: (rows: readonly Row[]) => `${rows.map(row => JSON.stringify(row)).join('\n')}\n`
  }
} as const

/** Rows of permits, most of them in order; `tag` keeps their numbers apart from all others. */
export function permits(
  chance: Chance,
  tag: string,
  count: number,
  kind: 'csv' | 'json' | 'ndjson' = 'csv'
): Submission {
  const { rows, invalid, repeated } = rowsOf(chance, tag, count)
  const { type, filename, write } = FORMS[kind]
  return {
    profile: 'permit',
    kind: count === 1 && kind === 'json' ? 'single' : kind,
    type,
    filename,
    bytes: Buffer.from(write(rows)),
    records: count,
    invalid,
    repeated
  }
}

const SAMPLES = join(import.meta.dirname, '../../../samples')
const PDF = 'application/pdf'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Samples that are read in a second or two. */
const DOCUMENTS = [
  { path: 'policies/auto-unusual-order.pdf', profile: 'policy', type: PDF },
  { path: 'policies/businessowners-labels-above.pdf', profile: 'policy', type: PDF },
  { path: 'policies/homeowners-labels-at-left.pdf', profile: 'policy', type: PDF },
  { path: 'leases/alder-court-summary.pdf', profile: 'lease', type: PDF },
  { path: 'leases/quillfeather-lease.pdf', profile: 'lease', type: PDF },
  { path: 'leases/saltmarsh-lease.docx', profile: 'lease', type: DOCX }
] as const

/** Makes the bytes of a PDF, or of anything that is a ZIP, its own without changing what it says: a comment at its end. */
export function stamped(bytes: Buffer, type: string, tag: string): Buffer {
  const note = Buffer.from(`% ${tag}\n`)
  if (type === PDF) return Buffer.concat([bytes, note])
  // The comment of a ZIP is the last thing in it, its length the two bytes before.
  const whole = Buffer.concat([bytes, note])
  whole.writeUInt16LE(note.length, bytes.length - 2)
  return whole
}

export function document(chance: Chance, tag: string): Submission {
  const { path, profile, type } = chance.pick(DOCUMENTS)
  const bytes = stamped(readFileSync(join(SAMPLES, path)), type, tag)
  const filename = path.split('/').at(-1) ?? path
  return { profile, kind: 'document', type, filename, bytes, records: 1, invalid: 0, repeated: 0 }
}
