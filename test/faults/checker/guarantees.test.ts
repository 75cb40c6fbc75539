import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sealAll } from '../../../src/audit/log/seal.ts'
import { loadKeys } from '../../../src/audit/log/signing/signing-keys.ts'
import { planter } from '../../audit/verify/plant.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { chanceOf } from '../harness/random.ts'
import { permits } from '../load/content.ts'
import { History } from '../load/history.ts'
import { type Checked, check, evidenceOf, findBroken, readBlobs } from './check.ts'
import { type Evidence, GUARANTEES } from './guarantees.ts'

interface Sound {
  readonly p: TestPipeline
  readonly checked: Checked
  readonly evidence: Evidence
}

/** Two batches worked to their end, with held and repeated rows, sealed and signed. */
async function soundDeployment(t: Test): Promise<Sound> {
  const p = await testPipeline(t)
  const history = new History()
  const chance = chanceOf(7)
  p.work()
  for (const tag of ['first', 'second']) {
    const submission = permits(chance, tag, 200)
    const operation = history.operation(tag, submission)
    const { id } = await p.submit([{ name: submission.filename, bytes: submission.bytes, type: submission.type }])
    await p.finished(id)
    history.invoke('test', operation)
    history.complete('test', operation, { outcome: 'ok', status: 202, batchId: id })
  }
  const { origin } = p.config.log
  const keys = await loadKeys({ signingKey: undefined, keysFile: undefined, dataFolder: p.folder }, true)
  await sealAll({ pool: p.pool, origin, ...keys })
  const payloads = p.config.payloadFolder
  const checked = { pool: p.pool, folder: p.folder, payloads, history, logs: async () => 'nothing of note' }
  return { p, checked, evidence: evidenceOf(history, await readBlobs(payloads)) }
}

const ACCEPTED = `select id from record where state = 'accepted' and duplicate_of is null order by id limit 1`
const CHUNK = `select id from chunk order by id limit 1`
const BATCH = `select id from batch order by id limit 1`

/** Faults planted by somebody past triggers and constraints, by the one guarantee that each must break. */
const FAULTS: readonly { readonly breaks: string; readonly what: string; readonly statements: readonly string[] }[] = [
  {
    breaks: 'G1',
    what: 'an acknowledged batch is gone with all that came of it',
    statements: [
      `delete from audit_entry where subject_id in (${BATCH}) or subject_id in (select id from record where batch_id in (${BATCH})) or subject_id in (select id from file where batch_id in (${BATCH}))`,
      `delete from held_content where record_id in (select id from record where batch_id in (${BATCH}))`,
      ...['canonical_record', 'record', 'chunk', 'file'].map(table => `delete from ${table} where batch_id in (${BATCH})`),
      `delete from batch where id in (${BATCH})`
    ]
  },
  { breaks: 'G2', what: 'a chunk is still pending', statements: [`update chunk set state = 'pending' where id in (${CHUNK})`] },
  { breaks: 'G2', what: 'a batch is not completed', statements: [`update batch set state = 'processing' where id in (${BATCH})`] },
  {
    breaks: 'G3',
    what: 'a version is there twice',
    statements: ['insert into canonical_record select * from canonical_record limit 1']
  },
  {
    breaks: 'G3',
    what: 'a duplicate took effect, and was counted so',
    statements: [
      `with twice as (update record set duplicate_of = null where id in (select id from record where duplicate_of is not null and state = 'accepted' limit 1) returning chunk_id)
       update chunk set accepted = accepted + 1, duplicate = duplicate - 1 where id in (select chunk_id from twice)`
    ]
  },
  {
    breaks: 'G4',
    what: 'a record has no audit entry',
    statements: [`delete from audit_entry where subject_id in (${ACCEPTED})`]
  },
  {
    breaks: 'G4',
    what: 'a record is not what its entry commits to',
    statements: [`update record set fields = '{"planted": 1}' where id in (${ACCEPTED})`]
  },
  {
    breaks: 'G4',
    what: 'an entry is of no record',
    statements: [
      `insert into audit_entry select jurisdiction, gen_random_uuid(), 1, entry, hash from audit_entry where subject_id in (${ACCEPTED})`
    ]
  },
  {
    breaks: 'G5',
    what: 'a chunk counts wrongly',
    statements: [`update chunk set accepted = accepted - 1, rejected = rejected + 1 where id in (${CHUNK})`]
  },
  { breaks: 'G6', what: 'a payload that was removed is still there', statements: ['update file set payload_removed_at = now()'] },
  {
    breaks: 'G7',
    what: 'an entry is missing from a chain',
    statements: [`delete from audit_entry where seq = 1 and subject_id in (${BATCH})`]
  },
  {
    breaks: 'G7',
    what: 'the bytes of an entry were altered',
    statements: [`update audit_entry set entry = entry || ' '::bytea where seq = 2 and subject_id in (${BATCH})`]
  },
  {
    breaks: 'G8',
    what: 'a commit is in no log',
    statements: [
      `insert into audit_commit (jurisdiction, id, entries, root, committed_at) values ('53033', gen_random_uuid(), 1, sha256('x'), now() - interval '1 hour')`
    ]
  },
  {
    breaks: 'G8',
    what: 'the numbers of leaves have a gap',
    statements: ['update audit_commit set leaf_index = 1000 where leaf_index = (select max(leaf_index) from audit_commit)']
  },
  { breaks: 'G9', what: 'a checkpoint has another root than its note', statements: [`update audit_checkpoint set root = sha256('x')`] },
  { breaks: 'G9', what: 'the newest checkpoint is gone', statements: ['delete from audit_checkpoint'] },
  { breaks: 'G10', what: 'a chunk is of another jurisdiction', statements: [`update chunk set jurisdiction = '99999' where id in (${CHUNK})`] },
  {
    breaks: 'G12',
    what: 'a content has two batches',
    statements: [
      `create temporary table twin as select * from batch limit 1; update twin set id = gen_random_uuid(); insert into batch select * from twin; drop table twin`
    ]
  }
] // biome-ignore format: a table

const brokenBy = async ({ p }: Sound, evidence: Evidence): Promise<string[]> => [
  ...new Set((await findBroken(p.pool, evidence)).map(finding => finding.guarantee))
]

t.test('a sound deployment breaks no guarantee, and each planted fault breaks just its own', async t => {
  const sound = await soundDeployment(t)
  const { p, evidence, checked } = sound
  const verdict = await check(checked, 0)
  t.strictSame(verdict.findings, [])
  t.ok(verdict.ok, verdict.line)
  t.match(
    verdict.line,
    /^acked 2 \| lost 0 \| duplicate 0 \| unexpected 0 \| non-terminal 0 \| orphan-blob 0 \| missing-blob 0 \|/
  )

  // What the tables do not tell: the store, the queue and what clients were told.
  const unknown = { ...evidence, acked: [...evidence.acked, { id: crypto.randomUUID(), key: 'none', records: 1 }] }
  t.strictSame(await brokenBy(sound, unknown), ['G1'], 'a batch that was acknowledged and never was')
  const [first] = evidence.acked
  const short = { ...evidence, acked: [{ ...first, id: first?.id ?? '', key: '', records: 201 }] }
  t.strictSame(await brokenBy(sound, short), ['G1'], 'a row that is found nowhere')
  const [blob] = evidence.blobs
  const path = join(checked.payloads, blob?.uri.slice('file:'.length) ?? '')
  const bytes = readFileSync(path)
  const flipped = Buffer.from(bytes)
  flipped[100] = (flipped[100] ?? 0) ^ 1
  writeFileSync(path, flipped)
  t.strictSame(
    await brokenBy(sound, { ...evidence, blobs: await readBlobs(checked.payloads) }),
    ['G6'],
    'a flipped bit'
  )
  rmSync(path)
  t.strictSame(
    await brokenBy(sound, { ...evidence, blobs: await readBlobs(checked.payloads) }),
    ['G6'],
    'a lost payload'
  )
  writeFileSync(path, bytes)

  const plant = await planter(p.pool)
  for (const { breaks, what, statements } of FAULTS) {
    for (const statement of statements)
      await plant.run(statement).catch((error: Error) => {
        if (!/nothing was planted|undefined/.test(error.message)) throw error
      })
    t.strictSame(await brokenBy(sound, evidence), [breaks], `${breaks}: ${what}`)
    await plant.restore()
  }
  t.strictSame(await brokenBy(sound, evidence), [], 'and all was undone')
  await plant.run(`update chunk set committed_at = now() - interval '1 hour'`)
  await plant.run(
    `insert into pgboss.job (name, data, created_on) select 'chunk', jsonb_build_object('jurisdiction', jurisdiction, 'subject', id), now() - interval '1 hour' from chunk limit 1`
  )
  t.strictSame(await brokenBy(sound, evidence), ['G11'], 'G11: a job is left for a chunk that was committed')
  plant.end()
  t.strictSame(new Set([...FAULTS.map(fault => fault.breaks), 'G11']).size, GUARANTEES.length, 'each was broken once')
})

t.test('what only clients, logs and the store tell is seen too', async t => {
  const { checked, p } = await soundDeployment(t)
  const { history } = checked
  const leaking = { ...checked, logs: async () => 'a line with QZXCANARY in it' }
  t.match(await check(leaking, 0), { ok: false, line: /canary hits 1/ })
  const stranger = history.operation('second', permits(chanceOf(1), 'x', 1))
  const [id = ''] = stranger.batchIds
  stranger.batchIds.clear()
  t.match(await check(checked, 0), { ok: false, line: /unexpected 1/ }, 'a batch that nobody was told of')
  stranger.batchIds.add(id).add(crypto.randomUUID())
  t.match(await check(checked, 0), { ok: false, line: /duplicate 1/ }, 'two answers under one key')
  stranger.batchIds.clear()
  stranger.batchIds.add(id)
  const [folder = ''] = readdirSync(checked.payloads).filter(name => name !== 'spool')
  writeFileSync(join(checked.payloads, folder, 'left-behind'), '')
  t.match(await check(checked, 0), { ok: false, line: /orphan-blob 1/ }, 'a file that no sweep takes')
  rmSync(join(checked.payloads, folder, 'left-behind'))
  history.statuses.set(500, 1)
  t.match(
    await check(checked, 0),
    { ok: false, findings: [{ guarantee: 'answers' }] },
    'an answer that is a fault of ours'
  )
  history.statuses.delete(500)
  history.complete('client', stranger, { outcome: 'unknown', status: 503 })
  t.match(
    await check(checked, 0),
    { ok: false, findings: [{ guarantee: 'answers' }] },
    'a refusal that does not say when'
  )
  history.unsaid.clear()
  history.complete('client', stranger, { outcome: 'unknown', status: 503, retryAfter: 1 })
  t.match(await check(checked, 0), { ok: true }, 'one that does')
  await p.pool.query(
    `update record set reasons = '[{"code": "PROCESSING_CRASH"}]' where id = (${ACCEPTED.replace(`'accepted'`, `'quarantined'`)})`
  )
  t.match(await check(checked, 0), { ok: false, line: /wrongly held 1/ }, 'a record held for a fault of ours')
})
