import { JURISDICTION } from '../../../helpers/factory.ts'
import {
  BATCH,
  CANCELLED,
  DOWNLOADED,
  type Fault,
  FILE,
  FOLLOWER,
  fault,
  forged,
  OPEN,
  one,
  RECORD,
  RELEASED
} from './fault.ts'

/** Faults in the audit trail, some with everything forged that depends on them. */
// biome-ignore format: one fault a line
export const CHAIN_FAULTS: Fault[] = [
  fault('chain-missing', 'a chain deleted', `delete from audit_entry where subject_id = ${RECORD} returning subject_id`, ['commit-root']),
  fault('chain-stray', 'a batch deleted, its chain left', `delete from batch where id = ${OPEN} returning id`, ['misplaced-chunks']),
  fault('chain-gap', 'the first entry deleted', `delete from audit_entry where subject_id = ${RELEASED} and seq = 1 returning subject_id`, ['commit-root']),
  fault('chain-gap', 'an entry twice', `insert into audit_entry select * from audit_entry where subject_id = ${RECORD} returning subject_id`, ['commit-root']),
  fault('entry-hash', 'an actor replaced', `update audit_entry set entry = convert_to(replace(convert_from(entry, 'UTF8'), 'key:clerk', 'key:other'), 'UTF8') where subject_id = ${RELEASED} and seq = 2 returning subject_id`),
  fault('entry-form', 'white space between members', forged(RECORD, 1, entry => canonicalPlus(entry))),
  fault('entry-form', 'a member twice', forged(RECORD, 1, entry => JSON.stringify(sorted(entry)).replace('"kind":', '"kind":"file","kind":'))),
  fault('entry-form', 'no transitions', forged(RECORD, 1, entry => ({ ...entry, transitions: [] }))),
  fault('entry-form', 'bytes that are no text', `update audit_entry set entry = '\\xff'::bytea || entry, hash = sha256('\\xff'::bytea || entry) where subject_id = ${OPEN} returning subject_id`, ['received-hash', 'chain-end', 'commit-root']),
  fault('entry-subject', 'an entry of another jurisdiction', forged(RELEASED, 2, entry => ({ ...entry, jurisdiction: '06037' }))),
  fault('entry-subject', 'an entry of another number', forged(RELEASED, 2, entry => ({ ...entry, seq: 3 }))),
  fault('entry-subject', 'an entry of another batch', forged(RECORD, 1, entry => ({ ...entry, batch: '00000000-0000-0000-0000-000000000000' }))),
  fault('entry-link', 'another entry before', forged(RELEASED, 2, entry => ({ ...entry, previous: '0'.repeat(64) }))),
  fault('entry-link', 'a record of another batch', forged(RECORD, 1, entry => ({ ...entry, previous: null }))),
  fault('entry-times', 'a later time first', forged(RECORD, 1, entry => {
    const [first, ...rest] = entry['transitions'] as [string, string][]
    return { ...entry, transitions: [[first?.[0] ?? '', '2999-01-01T00:00:00.000000Z'], ...rest] }
  })),
  fault('entry-facts', 'a batch closed with other counts', forged(BATCH, 2, entry => ({ ...entry, detail: { accepted: 1 } }))),
  fault('entry-facts', 'a record of another content', `update record set idempotency_key = '\\x00' where id = ${one('record', `state = 'rejected'`)} returning id`),
  fault('entry-facts', 'a file received with another digest', forged(FILE, 1, entry => ({ ...entry, detail: { sha256: '00' } }))),
  fault('entry-facts', 'a file received with another size', forged(FILE, 1, entry => ({ ...entry, detail: { bytes: 1 } }))),
  fault('entry-facts', 'a batch received with more files', forged(OPEN, 1, entry => ({ ...entry, detail: { files: 2 } })), ['received-hash']),
  fault('chain-state', 'a split file called cancelled', `update file set state = 'cancelled' where id = ${FILE} returning id`),
  fault('received-hash', 'a batch that knows another first entry', `update batch set received_hash = sha256('') where id = ${CANCELLED} returning id`, ['entry-link']),
  fault('chain-end', 'the last entry cut off', `delete from audit_entry where subject_id = ${RELEASED} and seq = 2 returning subject_id`, ['commit-root']),
  fault('chain-end', 'an entry too many', `update record set audit_seq = audit_seq - 1, audit_hash = sha256('') where id = ${RELEASED} returning id`),
  fault('chain-state', 'a held record called rejected', async db => {
    await db.run(`update chunk set quarantined = quarantined - 1, rejected = rejected + 1 where id = (select chunk_id from record where id = ${FOLLOWER}) returning 1`)
    return db.run(`update record set state = 'rejected' where id = ${FOLLOWER} returning id`)
  }, ['record-content']),
  fault('chain-state', 'a rejected record called held after it was downloaded', `update record set state = 'quarantined' where id = ${DOWNLOADED} returning id`, ['chunk-counts', 'held-unclaimed', 'record-content']),
  fault('chain-state', 'a completed batch called open', `update batch set state = 'processing' where id = ${BATCH} returning id`),
  fault('commit-missing', 'a commit row deleted', `delete from audit_commit where id = ${one('audit_commit', 'entries = 1')} returning (select subject_id from audit_entry where position(convert_to(audit_commit.id::text, 'UTF8') in entry) > 0)`),
  fault('commit-root', 'a root replaced', `update audit_commit set root = sha256('') where id = ${one('audit_commit', 'true')} returning id`),
  fault('commit-root', 'a commit of more entries', `update audit_commit set entries = entries + 1 where id = ${one('audit_commit', 'true')} returning id`),
  fault('commit-root', 'a commit without entries', `insert into audit_commit (jurisdiction, id, entries, root) values ('${JURISDICTION}', gen_random_uuid(), 1, '') returning id`)
]

function sorted(entry: object): object {
  return Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function canonicalPlus(entry: object): string {
  return JSON.stringify(sorted(entry)).replace(',', ', ')
}
