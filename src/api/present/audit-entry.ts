import { z } from 'zod'
import type { StoredEntry } from '../../db/reads/audit-reads.ts'
import { AppError } from '../../errors.ts'

/** The form of an entry's stored text. */
const StoredText = z.object({
  actor: z.string(),
  batch: z.string(),
  commit: z.string(),
  detail: z.record(z.string(), z.unknown()).default({}),
  idempotency_key: z.string().nullable().default(null),
  kind: z.enum(['batch', 'file', 'record', 'export']),
  manifest: z.string(),
  previous: z.string().nullable(),
  reasons: z.array(z.string()),
  transitions: z.array(z.tuple([z.string(), z.string()]))
})

export const AuditEntryBody = z.object({
  subject_id: z.string(),
  kind: z.enum(['batch', 'file', 'record', 'export']),
  seq: z.number().int(),
  actor: z.string(),
  batch_id: z.string(),
  commit_id: z.string(),
  manifest_version: z.string(),
  idempotency_key: z.string().nullable(),
  reasons: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
  transitions: z.array(z.object({ transition: z.string(), at: z.string() })),
  previous: z.string().nullable(),
  hash: z.string(),
  entry: z.string().meta({ description: 'The very text whose sha-256 is `hash`' })
})

/** An audit entry as answered: its parts, and the text that was hashed. */
export function presentEntry(stored: StoredEntry): z.infer<typeof AuditEntryBody> {
  const entry = stored.entry.toString('utf8')
  const parsed = StoredText.safeParse(JSON.parse(entry))
  if (!parsed.success) throw new AppError('INTERNAL', 'An audit entry is not in its form.')
  const { actor, batch, commit, detail, kind, manifest, previous, reasons, transitions } = parsed.data
  return {
    subject_id: stored.subjectId,
    kind,
    seq: stored.seq,
    actor,
    batch_id: batch,
    commit_id: commit,
    manifest_version: manifest,
    idempotency_key: parsed.data.idempotency_key,
    reasons,
    detail,
    previous,
    hash: stored.hash,
    entry,
    transitions: transitions.map(([transition, at]) => ({ transition, at }))
  }
}
