import {
  BATCH,
  CANCELLED,
  DUPLICATE,
  type Fault,
  FILE,
  FOLLOWER,
  FULL,
  fault,
  forged,
  HELD,
  idOf,
  OPEN,
  RECORD,
  RELEASED
} from './fault.ts'

// biome-ignore format: one fault a line
const COUNTS: Fault[] = [
  fault(
    'batch-sums',
    'a pending chunk that counts an outcome',
    `update chunk set accepted = 1 where batch_id = ${OPEN} returning batch_id`
  ),
  fault(
    'chunk-counts',
    'an outcome counted as another',
    `update chunk set accepted = accepted + 1, quarantined = quarantined - 1 where id = ${FULL} returning id`
  ),
  fault(
    'chunk-counts',
    'a record deleted with its chain',
    async db => {
      const id = await idOf(db, HELD)
      await db.run('delete from held_content where record_id = $1 returning 1', [id])
      await db.run('delete from audit_entry where subject_id = $1 returning 1', [id])
      await db.run('update record set duplicate_of = null where duplicate_of = $1 returning 1', [id])
      await db.run(
        `insert into held_content select jurisdiction, idempotency_key, id from record where state = 'quarantined' and audit_seq = 1 and id > $1 order by id limit 1 returning 1`,
        [id]
      )
      return db.run('delete from record where id = $1 returning chunk_id', [id])
    },
    ['item-gaps', 'commit-root']
  ),
  fault(
    'premature-records',
    'a chunk uncommitted again',
    `update chunk set state = 'cancelled', accepted = 0, duplicate = 0, quarantined = 0, rejected = 0 where id = ${FULL} returning id`
  )
]

// biome-ignore format: one fault a line
const COMPLETENESS: Fault[] = [
  fault(
    'open-work',
    'a finished batch with a pending chunk',
    `update chunk set state = 'pending' where batch_id = ${CANCELLED} and state = 'cancelled' returning batch_id`
  ),
  fault(
    'open-work',
    'a finished batch with an unsplit file',
    `update file set state = 'splitting' where batch_id = ${BATCH} returning batch_id`
  ),
  fault(
    'payload-told',
    'a payload said to be removed',
    `update file set payload_removed_at = now() where id = ${FILE} returning id`
  ),
  fault(
    'erased-values',
    'a record with values said to be erased',
    `insert into record_erasure select jurisdiction, id, now(), 'key:x', 'retention' from record where id = ${RECORD} returning record_id`
  ),
  fault('lost-files', 'the chunks of a file deleted', `delete from chunk where batch_id = ${OPEN} returning file_id`),
  fault(
    'lost-files',
    'a batch without files',
    async db => {
      await db.run(
        `delete from audit_entry where subject_id in (select id from file where batch_id = ${OPEN}) returning 1`
      )
      await db.run(`delete from chunk where batch_id = ${OPEN} returning 1`)
      return db.run(`delete from file where batch_id = ${OPEN} returning batch_id`)
    },
    ['commit-root']
  ),
  fault(
    'misplaced-chunks',
    'a chunk of another file',
    `update chunk set file_id = gen_random_uuid() where batch_id = ${OPEN} returning id`
  ),
  fault(
    'misplaced-chunks',
    'a file of no batch',
    async db => {
      await db.run(`delete from chunk where batch_id = ${OPEN} returning 1`)
      await db.run(`delete from audit_entry where subject_id = ${OPEN} returning 1`)
      const id = await db.run(`select id from file where batch_id = ${OPEN}`)
      await db.run(`delete from batch where id = ${OPEN} returning 1`)
      return id
    },
    ['lost-files', 'commit-root']
  ),
  fault(
    'misplaced-records',
    'a record of another file',
    `update record set file_id = gen_random_uuid() where id = ${HELD} returning id`
  ),
  fault(
    'misplaced-records',
    'a record of no chunk',
    `update record set chunk_id = gen_random_uuid() where id = ${HELD} returning id`,
    ['chunk-counts', 'item-gaps']
  ),
  fault(
    'item-gaps',
    'a record numbered past a gap',
    `update record set item = item + 100 where id = ${HELD} returning chunk_id`,
    ['record-content']
  ),
  fault(
    'item-gaps',
    'two records of one number',
    `update record set item = 4 where id = (select id from record where chunk_id = (select chunk_id from record where state = 'rejected' and duplicate_of is not null limit 1) and item = 3) returning chunk_id`,
    ['record-content']
  ),
  fault(
    'chunk-gaps',
    'a chunk that leaves records out',
    `update chunk set first_item = first_item + 1 where state = 'pending' returning id`
  )
]

// biome-ignore format: one fault a line
/** A natural key whose head was confirmed by a later duplicate. */
const CONFIRMED = '(select natural_key from canonical_head where last_version = 1 order by natural_key limit 1)'

/** The record that a natural key without a head is known by. */
const FIRST = `(select min(record_id::text) from canonical_record where natural_key = 'backwards')`

const HEADS: Fault[] = [
  fault(
    'head-version',
    'a head of a version that is not there',
    `update canonical_head set version = 9 where natural_key = ${CONFIRMED} returning record_id`,
    ['head-confirmed']
  ),
  fault(
    'head-version',
    'a head with another content',
    `update canonical_head set idempotency_key = '\\x00' where natural_key = ${CONFIRMED} returning record_id`
  ),
  fault(
    'head-place',
    'a head that went back to an earlier version',
    `update canonical_head h set version = v.version, record_id = v.record_id, idempotency_key = v.idempotency_key, item = v.item
    from canonical_record v where v.natural_key = h.natural_key and h.natural_key = 'backwards' and v.version = 2
    returning (select record_id from canonical_record where natural_key = 'backwards' and version = 1)`
  ),
  fault(
    'head-confirmed',
    'a head at a place of nobody',
    `update canonical_head set item = item + 50 where natural_key = ${CONFIRMED} returning record_id`
  ),
  fault(
    'version-gaps',
    'a head that knows more versions',
    `update canonical_head set last_version = last_version + 1 where natural_key = ${CONFIRMED} returning record_id`
  ),
  fault(
    'version-gaps',
    'versions without a head',
    `delete from canonical_head where natural_key = 'backwards' returning ${FIRST}`
  ),
  fault(
    'version-gaps',
    'a version deleted',
    `delete from canonical_record where natural_key = 'backwards' and version = 2 returning (select record_id from canonical_record where natural_key = 'backwards' and version = 1)`,
    ['accepted-version', 'record-content']
  ),
  fault(
    'version-record',
    'a version of nobody',
    `update canonical_record set record_id = gen_random_uuid() where natural_key = 'backwards' and version = 2 returning record_id`,
    ['accepted-version', 'record-content']
  ),
  fault(
    'version-record',
    'a version at another place',
    `update canonical_record set item = 0 where record_id = ${RECORD} returning record_id`,
    ['head-confirmed']
  ),
  fault(
    'accepted-version',
    'an accepted record of a version that is not there',
    `update record set version = 7 where id = ${DUPLICATE} returning id`,
    ['head-confirmed', 'duplicate-of']
  ),
  fault(
    'accepted-version',
    'a duplicate that forgot of whom',
    `update record set duplicate_of = null where id = ${DUPLICATE} returning id`,
    ['chunk-counts']
  ),
  fault(
    'duplicate-of',
    'a duplicate of a held record',
    `update record set duplicate_of = ${HELD} where id = ${DUPLICATE} returning id`
  ),
  fault(
    'held-content',
    'a content held by an accepted record',
    `update held_content set record_id = ${RECORD} where record_id = ${HELD} returning record_id`
  ),
  fault(
    'decided-content',
    'a held record that speaks for a decided content',
    `insert into decided_content select jurisdiction, idempotency_key, id from record where id = ${HELD} returning record_id`
  ),
  fault(
    'decided-content',
    "a decision that was given to another record's content",
    `update decided_content set idempotency_key = sha256('') where true returning record_id`
  ),
  fault(
    'decided-content',
    'a decision of a record that is not there',
    `insert into decided_content values ('53033', sha256('?'), gen_random_uuid()) returning record_id`
  ),
  fault(
    'held-unclaimed',
    'a held content taken off the list',
    `delete from held_content where record_id = (select record_id from held_content order by record_id limit 1) returning record_id`
  ),
  fault(
    'follower-twin',
    'a follower of an accepted record',
    `update record set duplicate_of = ${RECORD} where id = ${FOLLOWER} returning id`
  ),
  fault(
    'version-audited',
    'a release that does not tell its version',
    forged(RELEASED, 2, entry => {
      const { version: _version, ...detail } = entry['detail'] as object & { version: number }
      return { ...entry, detail }
    })
  )
]

/** Faults in the tables of work and content. */
export const TABLE_FAULTS = [...COUNTS, ...COMPLETENESS, ...HEADS]
