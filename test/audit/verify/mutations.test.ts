import t, { type Test } from 'tap'
import { checkChains } from '../../../src/audit/verify/chain/check-chains.ts'
import { checkCommits } from '../../../src/audit/verify/chain/check-commits.ts'
import { createTally } from '../../../src/audit/verify/tally.ts'
import { verify } from '../../../src/audit/verify/verify.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { withSnapshot } from '../../../src/db/verify/snapshot.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { planter } from './plant.ts'
import { cleanDatabase } from './scenario.ts'

const SEED = Number(process.env['SEED'] ?? 20_261_130)
const ROUNDS = 42

/** A small seeded generator (mulberry32). */
function generator(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

// $1 and $2 choose rows, $3 a place in one; each statement changes something in every case.
const ROW =
  '(select ctid from audit_entry order by subject_id, seq offset $1 % (select count(*) from audit_entry) limit 1)'
const OTHER =
  '(select ctid from audit_entry order by subject_id, seq offset ($1 + 1 + $2 % ((select count(*) from audit_entry) - 1)) % (select count(*) from audit_entry) limit 1)'
const MUTATIONS: Readonly<Record<string, string>> = {
  'a bit of an entry': `update audit_entry set entry = set_bit(entry, ($3 % (8 * length(entry)))::bigint, 1 - get_bit(entry, ($3 % (8 * length(entry)))::bigint)) where ctid = ${ROW} and $2 >= 0`,
  'a bit of an entry, hashed again': `update audit_entry e set entry = n.entry, hash = sha256(n.entry) from (
    select ctid as at, set_bit(entry, ($3 % (8 * length(entry)))::bigint, 1 - get_bit(entry, ($3 % (8 * length(entry)))::bigint)) as entry
    from audit_entry) n where n.at = e.ctid and e.ctid = ${ROW} and $2 >= 0`,
  'a bit of a hash': `update audit_entry set hash = set_bit(hash, $3 % 256, 1 - get_bit(hash, $3 % 256)) where ctid = ${ROW} and $2 >= 0`,
  'an entry deleted': `delete from audit_entry where ctid = ${ROW} and $2 + $3 >= 0`,
  'an entry doubled': `insert into audit_entry select * from audit_entry where ctid = ${ROW} and $2 + $3 >= 0`,
  'an entry moved on': `update audit_entry set seq = seq + 1 + $3 % 3 where ctid = ${ROW} and $2 >= 0`,
  'an entry cut': `update audit_entry set entry = substring(entry for (length(entry) - 1 - $3 % 50)::int), hash = sha256(substring(entry for (length(entry) - 1 - $3 % 50)::int)) where ctid = ${ROW} and $2 >= 0`,
  'an entry in place of another': `update audit_entry e set entry = o.entry, hash = o.hash from (select entry, hash from audit_entry where ctid = ${OTHER}) o where e.ctid = ${ROW} and $3 >= 0`,
  'an entry of another subject': `update audit_entry set subject_id = gen_random_uuid() where ctid = ${ROW} and $2 + $3 >= 0`,
  'a time': `update audit_entry e set entry = n.entry, hash = sha256(n.entry) from (
    select ctid as at, convert_to(regexp_replace(convert_from(entry, 'UTF8'), '"20\\d\\d-', '"1999-'), 'UTF8') as entry
    from audit_entry) n where n.at = e.ctid and e.ctid = ${ROW} and $2 + $3 >= 0`,
  'an actor': `update audit_entry e set entry = n.entry, hash = sha256(n.entry) from (
    select ctid as at, convert_to(regexp_replace(convert_from(entry, 'UTF8'), '"actor":"[^"]*"', '"actor":"key:nobody"'), 'UTF8') as entry
    from audit_entry) n where n.at = e.ctid and e.ctid = ${ROW} and $2 + $3 >= 0`,
  'a bit of a root': `update audit_commit set root = set_bit(root, $3 % 256, 1 - get_bit(root, $3 % 256))
    where ctid = (select ctid from audit_commit order by id offset $1 % (select count(*) from audit_commit) limit 1) and $2 >= 0`,
  'a commit deleted': `delete from audit_commit where ctid = (
    select ctid from audit_commit order by id offset $1 % (select count(*) from audit_commit) limit 1) and $2 + $3 >= 0`,
  'a row with another end': `update record set audit_hash = set_bit(audit_hash, $3 % 256, 1 - get_bit(audit_hash, $3 % 256))
    where ctid = (select ctid from record order by id offset $1 % (select count(*) from record) limit 1) and $2 >= 0`
}

const PAGE = '(select ctid from audit_page order by chunk_id offset $1 % (select count(*) from audit_page) limit 1)'
const AT = '1 + $2 % cardinality(subjects)'
const PAGE_MUTATIONS: Readonly<Record<string, string>> = {
  'a bit of a key': `update audit_page set keys[${AT}] = set_bit(keys[${AT}], $3 % 256, 1 - get_bit(keys[${AT}], $3 % 256)) where ctid = ${PAGE}`,
  'another subject': `update audit_page set subjects[${AT}] = gen_random_uuid() where ctid = ${PAGE} and $3 >= 0`,
  'other codes': `update audit_page set codes[${AT}] = codes[${AT}] || ' ' where ctid = ${PAGE} and $3 >= 0`,
  'a letter of the frame': `update audit_page set frame[1 + $2 % 4] = overlay(frame[1 + $2 % 4] placing 'Z' from (1 + $3 % length(frame[1 + $2 % 4]))::int) where ctid = ${PAGE}`,
  'a page deleted': `delete from audit_page where ctid = ${PAGE} and $2 + $3 >= 0`,
  'a page doubled': `insert into audit_page select * from audit_page where ctid = ${PAGE} and $2 + $3 >= 0`,
  'a page under another chunk': `update audit_page set chunk_id = gen_random_uuid() where ctid = ${PAGE} and $2 + $3 >= 0`,
  'another number of keys': `update audit_page set keys = trim_array(keys, 1) where ctid = ${PAGE} and $2 + $3 >= 0`
}

type Offender = { readonly check: string; readonly count: number }

/** By the trail alone, whatever the tables say. */
const byTrail = (pool: Pool): Promise<readonly Offender[]> =>
  withSnapshot(pool, async tx => {
    const tally = createTally()
    await checkChains(tx, JURISDICTION, tally)
    await checkCommits(tx, JURISDICTION, tally)
    return tally.offenders()
  })

const byAll = async (pool: Pool): Promise<readonly Offender[]> => (await verify({ pool })).offenders

async function everyMutationIsFound(
  t: Test,
  mutations: Readonly<Record<string, string>>,
  { pages, find }: { readonly pages: boolean; readonly find: (pool: Pool) => Promise<readonly Offender[]> }
): Promise<void> {
  const { pool } = await cleanDatabase(t)
  const db = await planter(pool, { pages })
  t.teardown(() => db.end())
  const below = generator(SEED)
  const offenders = async () => (await find(pool)).map(({ check, count }) => `${check} ${count}`)
  t.same(await offenders(), [], 'nothing is wrong before')
  const names = Object.keys(mutations)
  for (let round = 0; round < ROUNDS; round++) {
    const name = names[round % names.length] as string
    const places = [below(1_000_000), below(1_000_000), below(1_000_000)]
    await db.run(
      `${mutations[name]} returning 1`.replaceAll(/\$[123]/g, parameter => `${parameter}::int`),
      places
    )
    const found = await offenders()
    t.ok(found.length > 0, `${name} at ${places.join()}: ${found.join(', ')}`)
    await db.restore()
  }
  t.same(await offenders(), [], 'all changes are undone')
}

t.test(`any single change of the audit trail is found (seed ${SEED})`, t =>
  everyMutationIsFound(t, MUTATIONS, { pages: false, find: byTrail })
)
t.test(`any single change of a page of entries is found (seed ${SEED})`, t =>
  everyMutationIsFound(t, PAGE_MUTATIONS, { pages: true, find: byAll })
)
