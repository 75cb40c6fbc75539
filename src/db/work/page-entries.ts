import { hash } from 'node:crypto'
import type { EntryFrame } from '../audit-entries.ts'
import type { Tx } from '../pool.ts'

/** What the entries of a page share: their text before the commitment, from there to the key, to the codes, to the subject, and after it. */
export type PageFrame = readonly [string, string, string, string, string]

export interface PageAudit {
  readonly frame: EntryFrame
  /** Hex: the hash of the entry all of them follow. */
  readonly previous: string
  /** Canonical JSON of the detail all of them have. */
  readonly detail: string
  /** The transitions all of them tell of, as `stepsOf` answers them. */
  readonly steps: string
}

/** The parts of an entry that are its own. */
export interface PageEntry {
  readonly id: string
  /** The commitment to what the record is, in hex. */
  readonly content: string
  /** Hex. */
  readonly idempotencyKey: string
  /** Canonical JSON. */
  readonly codes: string
}

/** A timeline as text with the times of this transaction, which only the database knows. */
export async function stepsOf(tx: Tx, timeline: unknown): Promise<string> {
  const { rows } = await tx.query<{ steps: string }>({
    name: 'audit-steps',
    text: 'select audit_steps($1::jsonb) as steps',
    values: [JSON.stringify(timeline)]
  })
  return rows[0]?.steps ?? ''
}

/** First entries of records cut where their own parts go in; the members and their order are those of `audit_text`. */
export const pageFrame = ({ frame, previous, detail, steps }: PageAudit): PageFrame => [
  `${frame.opening}"content":"`,
  `","detail":${detail},"form":1,"idempotency_key":"`,
  `",${frame.jurisdiction}"kind":"record${frame.manifest}"${previous}","reasons":`,
  ',"seq":1,"subject":"',
  `","transitions":[${steps}]}`
]

/** The hash of an entry of a page, in hex: over the bytes that `audit_page_text` puts together. */
export const pageEntryHash = (frame: PageFrame, { id, content, idempotencyKey, codes }: PageEntry): string =>
  hash(
    'sha256',
    `${frame[0]}${content}${frame[1]}${idempotencyKey}${frame[2]}${codes}${frame[3]}${id}${frame[4]}`,
    'hex'
  )
