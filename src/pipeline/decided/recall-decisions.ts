import type { Queryable } from '../../db/pool.ts'
import { type DecidedContent, findDecidedContents } from '../../db/review/decided-contents.ts'
import type { Origin } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'

/** The same content may stand in another row now. */
function moved(origin: Origin | null, record: JudgedRecord): Origin | null {
  if (origin === null || !('row' in origin)) return origin
  return { ...origin, row: record.item, ...(record.line === null ? {} : { line: record.line }) }
}

function movedFields(fields: Json, record: JudgedRecord): Json {
  const entries = Object.entries(fields as { readonly [name: string]: { readonly [member: string]: Json } })
  return Object.fromEntries(
    entries.map(([name, envelope]) =>
      'origin' in envelope
        ? [name, { ...envelope, origin: moved(envelope['origin'] as Origin | null, record) }]
        : [name, envelope]
    )
  )
}

/** `rejectedAs`: the record whose rejection this one repeats. */
export interface Recalled {
  readonly rejectedAs?: string
}

/** What was decided, with a reason that names the record it was decided about; never what was read this time. */
function decidedAgain<R extends JudgedRecord>(record: R, decided: DecidedContent): R & Recalled {
  const isAccepted = decided.state === 'accepted'
  const origin = { registry: 'record', key: decided.recordId }
  const before = decided.reasons.filter(reason => reason.code !== 'DECIDED_BEFORE')
  const known: Reason[] = before.map(reason => ({ ...reason, origin: moved(reason.origin, record) }))
  return {
    ...record,
    state: decided.state,
    naturalKey: isAccepted ? decided.naturalKey : null,
    confidence: decided.confidence,
    reasons: [reasonOf('DECIDED_BEFORE', { origin, severity: isAccepted ? 'info' : 'fatal' }), ...known],
    fields: movedFields(decided.fields, record),
    content: decided.content,
    diagnostic: null,
    ...(isAccepted ? {} : { rejectedAs: decided.recordId })
  }
}

/**
 * Gives records whose very content a person has decided about before the outcome of that decision: a released one the
 * values that were released, so that it is settled as if they had been sent, a rejected one its rejection. What was sent
 * is neither accepted as it stands nor brought before a person again. Records that are rejected anyway stay as they are.
 * Inside a commit, asked after the held twins: a decision that let go of its content is then seen, and one that has not
 * finds the new record among its followers.
 */
export async function recallDecisions<R extends JudgedRecord>(
  db: Queryable,
  jurisdiction: string,
  records: readonly R[]
): Promise<readonly (R & Recalled)[]> {
  const open = records.filter(record => record.state !== 'rejected')
  if (open.length === 0) return records
  const keys = [...new Set(open.map(record => record.idempotencyKey))]
  const decisions = await findDecidedContents(db, jurisdiction, keys)
  if (decisions.length === 0) return records
  const byKey = new Map(decisions.map(decided => [decided.idempotencyKey, decided]))
  return records.map(record => {
    const decided = record.state === 'rejected' ? undefined : byKey.get(record.idempotencyKey)
    return decided ? decidedAgain(record, decided) : record
  })
}
