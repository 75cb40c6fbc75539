import { rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { CHECK_NAMES, CHECKS, type CheckName } from '../../../src/audit/verify/checks.ts'
import { verify } from '../../../src/audit/verify/verify.ts'
import { newId } from '../../../src/model/ids.ts'
import { createFileStore } from '../../../src/storage/file-store.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type Planter, planter } from './plant.ts'
import { cleanDatabase } from './scenario.ts'

interface Fault {
  readonly check: CheckName
  /** What is done to the data. */
  readonly by: string
  /** Plants the fault and answers the id that the check must name. */
  readonly plant: (db: Planter) => Promise<string>
  /** What else is then wrong. */
  readonly also?: readonly CheckName[]
}

const fault = (
  check: CheckName,
  by: string,
  plant: string | Fault['plant'],
  also: readonly CheckName[] = []
): Fault => ({
  check,
  by,
  plant: typeof plant === 'string' ? db => db.run(plant) : plant,
  also
})

/** One row of a table, the same each time. */
const one = (table: string, where: string): string => `(select id from ${table} where ${where} order by id limit 1)`
const RECORD = one('record', `state = 'accepted' and natural_key = 'permit-3'`)
const RELEASED = one('record', `state = 'accepted' and duplicate_of is null and audit_seq = 2`)
const HELD = one('record', `state = 'quarantined' and duplicate_of is null`)
const FOLLOWER = one('record', `state = 'quarantined' and duplicate_of is not null`)
const DUPLICATE = one('record', `state = 'accepted' and duplicate_of is not null and audit_seq = 1`)
const BATCH = one('batch', `state = 'completed'`)
const CANCELLED = one('batch', `state = 'cancelled'`)
const OPEN = one('batch', `state = 'queued'`)
const FILE = one('file', 'true')
const FULL = one('chunk', `state = 'committed' and kind = 'rows' and record_count > 2`)

const idOf = (db: Planter, row: string): Promise<string> => db.run(`select ${row}`)
const forged =
  (row: string, seq: number, change: Parameters<Planter['forge']>[2]): Fault['plant'] =>
  async db =>
    db.forge(await idOf(db, row), seq, change)

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
    `update record set item = item + 100 where id = ${HELD} returning chunk_id`
  ),
  fault(
    'item-gaps',
    'two records of one number',
    `update record set item = 4 where id = (select id from record where chunk_id = (select chunk_id from record where state = 'rejected' and duplicate_of is not null limit 1) and item = 3) returning chunk_id`
  ),
  fault(
    'chunk-gaps',
    'a chunk that leaves records out',
    `update chunk set first_item = first_item + 1 where state = 'pending' returning id`
  )
]

const HEADS: Fault[] = [
  fault(
    'head-version',
    'a head of a version that is not there',
    `update canonical_head set version = 9 where record_id = ${RECORD} returning record_id`,
    ['head-confirmed']
  ),
  fault(
    'head-version',
    'a head with another content',
    `update canonical_head set idempotency_key = '\\x00' where record_id = ${RECORD} returning record_id`
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
    `update canonical_head set item = item + 50 where record_id = ${RECORD} returning record_id`
  ),
  fault(
    'version-gaps',
    'a head that knows more versions',
    `update canonical_head set last_version = last_version + 1 where record_id = ${RECORD} returning record_id`
  ),
  fault(
    'version-gaps',
    'versions without a head',
    `delete from canonical_head where record_id = ${RECORD} returning record_id`
  ),
  fault(
    'version-gaps',
    'a version deleted',
    `delete from canonical_record where natural_key = 'backwards' and version = 2 returning (select record_id from canonical_record where natural_key = 'backwards' and version = 1)`,
    ['accepted-version']
  ),
  fault(
    'version-record',
    'a version of nobody',
    `update canonical_record set record_id = gen_random_uuid() where natural_key = 'backwards' and version = 2 returning record_id`,
    ['accepted-version']
  ),
  fault(
    'version-record',
    'a version at another place',
    `update canonical_record set item = 0 where record_id = ${RECORD} returning record_id`
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

const CHAINS: Fault[] = [
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
  fault('received-hash', 'a batch that knows another first entry', `update batch set received_hash = sha256('') where id = ${CANCELLED} returning id`, ['entry-link']),
  fault('chain-end', 'the last entry cut off', `delete from audit_entry where subject_id = ${RELEASED} and seq = 2 returning subject_id`, ['commit-root']),
  fault('chain-end', 'an entry too many', `update record set audit_seq = audit_seq - 1, audit_hash = sha256('') where id = ${RELEASED} returning id`),
  fault('chain-state', 'a held record called rejected', async db => {
    await db.run(`update chunk set quarantined = quarantined - 1, rejected = rejected + 1 where id = (select chunk_id from record where id = ${FOLLOWER}) returning 1`)
    return db.run(`update record set state = 'rejected' where id = ${FOLLOWER} returning id`)
  }),
  fault('chain-state', 'a completed batch called open', `update batch set state = 'processing' where id = ${BATCH} returning id`),
  fault('commit-missing', 'a commit row deleted', `delete from audit_commit where id = ${one('audit_commit', 'entries = 1')} returning (select subject_id from audit_entry where position(convert_to(audit_commit.id::text, 'UTF8') in entry) > 0)`),
  fault('commit-root', 'a root replaced', `update audit_commit set root = sha256('') where id = ${one('audit_commit', 'true')} returning id`),
  fault('commit-root', 'a commit of more entries', `update audit_commit set entries = entries + 1 where id = ${one('audit_commit', 'true')} returning id`),
  fault('commit-root', 'a commit without entries', `insert into audit_commit (jurisdiction, id, entries, root) values ('${JURISDICTION}', gen_random_uuid(), 1, '') returning id`)
] // biome-ignore format: one fault a line

function sorted(entry: object): object {
  return Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function canonicalPlus(entry: object): string {
  return JSON.stringify(sorted(entry)).replace(',', ', ')
}

const FAULTS = [...COUNTS, ...COMPLETENESS, ...HEADS, ...CHAINS]

t.test('every fault is found by its check, with its subject', async t => {
  const { pool } = await cleanDatabase(t)
  const db = await planter(pool)
  t.teardown(() => db.end())
  t.same((await verify({ pool })).offenders, [], 'the copy is clean')
  for (const { check, by, plant, also = [] } of FAULTS) {
    await t.test(`${check}: ${by}`, async t => {
      t.teardown(() => db.restore())
      const subject = await plant(db)
      const { ok, offenders } = await verify({ pool })
      t.equal(ok, false)
      const expected = CHECK_NAMES.filter(name => name === check || also.includes(name))
      t.same(
        offenders.map(offender => offender.check),
        expected
      )
      const { invariant } = CHECKS[check]
      t.match(
        offenders.find(offender => offender.check === check),
        { subject, invariant, jurisdiction: JURISDICTION }
      )
    })
  }
  t.same((await verify({ pool })).offenders, [], 'all faults are gone again')
})

t.test('payloads: missing, cut, altered, of another file, left over', async t => {
  const { pool, folder } = await cleanDatabase(t)
  const store = await createFileStore({ folder, newId })
  const { rows } = await pool.query<{ id: string }>('select id from file order by id')
  const [gone, cut, altered, foreign, ...others] = rows.map(row => row.id) as [string, string, string, string]
  const pathOf = (name: string): string => join(folder, JURISDICTION, name)
  await rm(pathOf(gone))
  await truncate(pathOf(cut), 3)
  await writeFile(pathOf(altered), `Payload of ${altered}`)
  await pool.query('update file set payload_uri = (select payload_uri from file where id = $2) where id = $1', [
    foreign,
    others[0]
  ])
  const [old, young] = [newId(), newId()]
  for (const name of [old, young]) await writeFile(pathOf(name), 'nobody')
  const longAgo = new Date(Date.now() - 2 * 86_400_000)
  for (const name of [old, others[0] ?? '']) await utimes(pathOf(name), longAgo, longAgo)

  const found = async (payloads: boolean) =>
    (await verify({ pool, store, payloads })).offenders.map(({ check, subject, count }) => [check, subject, count])
  t.same(await found(false), [
    ['payload-missing', gone, 2],
    ['payload-size', cut, 1],
    ['payload-orphan', `${JURISDICTION}/${old}`, 1]
  ])
  t.same(await found(true), [
    ['payload-missing', gone, 2],
    ['payload-size', cut, 1],
    ['payload-digest', altered, 1],
    ['payload-orphan', `${JURISDICTION}/${old}`, 1]
  ])
})

t.test('no check goes without a fault that it must find', async t => {
  const planted = new Set<string>(FAULTS.map(({ check }) => check))
  t.same(
    CHECK_NAMES.filter(name => !planted.has(name)),
    ['payload-missing', 'payload-size', 'payload-digest', 'payload-orphan']
  )
})
