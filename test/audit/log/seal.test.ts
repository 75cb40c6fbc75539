import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { sealAll } from '../../../src/audit/log/seal.ts'
import { verifierOf } from '../../../src/audit/log/signing/signed-note.ts'
import { verify } from '../../../src/audit/verify/verify.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { newId } from '../../../src/model/ids.ts'
import { testDatabase } from '../../helpers/database.ts'
import { insertCommits, placesOf } from './commits.ts'
import { SEED, seeded } from './seeded.ts'

const KEY = generateKeyPairSync('ed25519').privateKey
const depsOf = (pool: Pool) => ({ pool, origin: 'docket', keys: [KEY], retired: [] })

/** Offenders of the log; the commits of these tests have no entries, which is another check's business. */
const logFaults = async (pool: Pool, keys = [KEY]) => {
  const { offenders, checked } = await verify({ pool, keys: { origin: 'docket', keys, retired: [] } })
  return { faults: offenders.filter(one => one.check !== 'commit-root'), checkpoints: checked.checkpoints }
}

t.test('every commit gets one place, jurisdiction by jurisdiction, under signed checkpoints', async t => {
  const { pool } = await testDatabase(t)
  await insertCommits(pool, '53033', 2500)
  await insertCommits(pool, 'king-county', 3)
  t.equal(await sealAll(depsOf(pool)), 2503)
  t.equal(await sealAll(depsOf(pool)), 0)
  await insertCommits(pool, '53033', 1)
  t.equal(await sealAll(depsOf(pool)), 1)
  t.same(await placesOf(pool, '53033'), { count: 2501, first: 0, last: 2500 })
  t.same(await placesOf(pool, 'king-county'), { count: 3, first: 0, last: 2 })
  const { rows } = await pool.query('select size from audit_checkpoint where jurisdiction = $1 order by size', [
    '53033'
  ])
  t.same(
    rows.map(row => row.size),
    [1000, 2000, 2500, 2501]
  )
  t.same(await logFaults(pool), { faults: [], checkpoints: 5 })
})

t.test('a transaction that ends late is sealed after those that began later', async t => {
  const { pool } = await testDatabase(t)
  const late = await pool.connect()
  const early = newId()
  await late.query('begin')
  await late.query(
    `insert into audit_commit (jurisdiction, id, entries, root) values ('53033', $1, 1, sha256('late'))`,
    [early]
  )
  await insertCommits(pool, '53033', 5)
  t.equal(await sealAll(depsOf(pool)), 5)
  await late.query('commit')
  late.release()
  await insertCommits(pool, '53033', 2)
  t.equal(await sealAll(depsOf(pool)), 3)
  const { rows } = await pool.query('select leaf_index from audit_commit where id = $1', [early])
  t.equal(rows[0]?.leaf_index, 5, 'its id is the smallest, its place is not')
  t.same((await logFaults(pool)).faults, [])
})

t.test('many sealers at once leave no gap and seal nothing twice', async t => {
  const { pool } = await testDatabase(t)
  let inserted = 0
  let sealed = 0
  const random = seeded(SEED)
  const insert = async (): Promise<void> => {
    for (let n = 0; n < 30; n += 1) {
      const some = 1 + random(60)
      await insertCommits(pool, '53033', some)
      inserted += some
    }
  }
  const writing = Promise.all([insert(), insert()])
  const state = { isWriting: true }
  writing.finally(() => {
    state.isWriting = false
  })
  const seal = async (): Promise<void> => {
    while (state.isWriting) {
      const count = await sealAll(depsOf(pool))
      sealed += count
    }
  }
  await Promise.all([writing, seal(), seal(), seal(), seal()])
  sealed += await sealAll(depsOf(pool))
  t.equal(sealed, inserted)
  t.same(await placesOf(pool, '53033'), { count: inserted, first: 0, last: inserted - 1 })
  t.same((await logFaults(pool)).faults, [])
})

t.test('sealers that are killed at any moment leave a whole log', async t => {
  const { pool, url } = await testDatabase(t)
  const kills = Number(process.env['KILLS'] ?? 8)
  const random = seeded(SEED)
  let inserted = 0
  const start = (): ChildProcess =>
    fork(join(import.meta.dirname, '../../fixtures/audit/programs/seal-forever.ts'), [url], { stdio: 'ignore' })
  for (let n = 0; n < kills; n += 1) {
    const child = start()
    const ended = once(child, 'exit')
    await once(child, 'message')
    const rounds = 1 + random(6)
    for (let round = 0; round < rounds; round += 1) {
      await insertCommits(pool, '53033', 150)
      inserted += 150
    }
    child.kill('SIGKILL')
    await ended
    const { count, first, last } = await placesOf(pool, '53033')
    t.ok(count === 0 || (first === 0 && last === count - 1), `${count} places without a gap`)
  }
  for (let left = 1; left > 0; ) {
    await sealAll(depsOf(pool))
    const { rows } = await pool.query<{ n: number }>('select count(*) as n from audit_commit where leaf_index is null')
    left = rows[0]?.n ?? 0
  }
  t.equal((await placesOf(pool, '53033')).count, inserted)
  // Those that were killed signed with a key of their own, which nobody knows here.
  const { faults } = await logFaults(pool)
  t.same(
    faults.filter(one => one.check !== 'checkpoint-signature'),
    []
  )
})

t.test('a log that was altered is not signed further, and the others are', async t => {
  const { pool } = await testDatabase(t)
  await insertCommits(pool, '53033', 300)
  await sealAll(depsOf(pool))
  const alter = async (statement: string): Promise<void> => {
    const client = await pool.connect()
    await client.query(`begin; set local session_replication_role = replica; ${statement}; commit`)
    client.release()
  }
  const flip = `update audit_tile set hashes = set_bit(hashes, 5, 1 - get_bit(hashes, 5)) where level = 1 and jurisdiction = '53033'`
  for (const statement of [
    flip,
    `update audit_commit set root = sha256('x') where leaf_index = 299 and jurisdiction = '53033'`,
    `update audit_commit set leaf_index = null where leaf_index = 299 and jurisdiction = '53033'`,
    `update audit_checkpoint set root = sha256('x') where jurisdiction = '53033'`,
    `update audit_checkpoint set note = replace(note, E'docket/53033\\n300', E'docket/53033\\n301')`,
    `update audit_checkpoint set note = replace(note, E'docket/53033\\n300', E'docket/53034\\n300')`
  ]) {
    await alter(
      'create table kept_commit as table audit_commit; create table kept_tile as table audit_tile; create table kept as table audit_checkpoint'
    )
    await alter(statement)
    await insertCommits(pool, '53033', 1)
    await insertCommits(pool, '06037', 1)
    await t.rejects(sealAll(depsOf(pool)), { code: 'LOG_DAMAGED' }, statement)
    t.equal((await placesOf(pool, '53033')).last <= 299, true)
    await alter(
      `delete from audit_commit where jurisdiction = '53033'; insert into audit_commit select * from kept_commit where jurisdiction = '53033';
       delete from audit_tile where jurisdiction = '53033'; insert into audit_tile select * from kept_tile where jurisdiction = '53033';
       delete from audit_checkpoint where jurisdiction = '53033'; insert into audit_checkpoint select * from kept where jurisdiction = '53033';
       drop table kept; drop table kept_tile; drop table kept_commit`
    )
  }
  t.equal((await placesOf(pool, '06037')).count, 6)
  await insertCommits(pool, '53033', 1)
  t.equal(await sealAll(depsOf(pool)), 1, 'mended, it goes on')
})

t.test('keys are changed: both sign for a while, and retired ones still count', async t => {
  const { pool } = await testDatabase(t)
  const next = generateKeyPairSync('ed25519').privateKey
  for (const keys of [[KEY], [KEY, next], [next]]) {
    await insertCommits(pool, '53033', 2)
    await sealAll({ ...depsOf(pool), keys, retired: [verifierOf('docket/53033', KEY)] })
  }
  const judged = async (retired: boolean) => {
    const keys = { origin: 'docket', keys: [next], retired: retired ? [verifierOf('docket/53033', KEY)] : [] }
    const { offenders } = await verify({ pool, keys })
    return offenders.filter(one => one.check !== 'commit-root').map(one => [one.check, one.subject])
  }
  t.same(await judged(true), [])
  t.same(await judged(false), [['checkpoint-signature', 'checkpoint 2']])
})

t.test('nobody changes the log but the sealer, and it only adds', async t => {
  const { pool } = await testDatabase(t)
  await insertCommits(pool, '53033', 300)
  await sealAll(depsOf(pool))
  for (const statement of [
    'update audit_commit set leaf_index = 400 where leaf_index = 3',
    'update audit_commit set leaf_index = null where leaf_index = 3',
    'delete from audit_tile',
    'truncate audit_tile',
    `update audit_tile set hashes = sha256('x')`,
    'update audit_tile set index = 9 where level = 0',
    'delete from audit_checkpoint',
    'truncate audit_checkpoint',
    'update audit_checkpoint set size = 1'
  ])
    await t.rejects(pool.query(statement), { code: '42501' }, statement)
})
