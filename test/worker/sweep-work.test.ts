import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { newId } from '../../src/model/ids.ts'
import { createWorkSweep } from '../../src/worker/maintenance/sweep-work.ts'
import { silent } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { spawnWorker, until } from '../helpers/worker-process.ts'

const HOUR_MS = 3600 * 1000

const sweepOf = (p: TestPipeline, workFolder: string, now = () => Date.now()) =>
  createWorkSweep({ pool: p.pool, logger: silent, workFolder, now })

/** As if so many seconds had passed without a sign of a worker. */
const silence = (p: TestPipeline, id: string, seconds: number) =>
  p.pool.query('update worker set seen_at = seen_at - make_interval(secs => $2) where id = $1', [id, seconds])

/** Lets readers read, and whoever begins to extract wait, with the copy of the document on disk. */
async function barExtraction(p: TestPipeline): Promise<() => Promise<void>> {
  const client = await p.pool.connect()
  await client.query('begin')
  await client.query('lock table extraction in exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

test('copies of documents of a worker that was killed are removed, those of a living one are not', async t => {
  const p = await testPipeline(t)
  const work = join(p.folder, 'work')
  const copies = (id: string): string[] =>
    existsSync(join(work, id)) ? readdirSync(join(work, id)).filter(name => name !== 'extract') : []
  const lift = await barExtraction(p)
  const environment = { url: p.url, folder: p.folder }
  const document = (n: number) => ({ name: `${n}.txt`, bytes: `Lease\n\nTenant: Acme ${n} LLC\n`, type: 'text/plain' })

  await p.submit([document(1)], { profile: 'lease' })
  const killed = spawnWorker(t, environment)
  const holdsCopy = (except: string) => () =>
    Promise.resolve(existsSync(work) && readdirSync(work).some(id => id !== except && copies(id).length > 0))
  await until(holdsCopy(''))
  const [dead = ''] = readdirSync(work)
  killed.kill('SIGKILL')
  await killed.exited
  t.equal(copies(dead).length, 1, 'it left a copy')

  await p.submit([document(2)], { profile: 'lease' })
  spawnWorker(t, environment)
  await until(holdsCopy(dead))
  const living = readdirSync(work).find(id => id !== dead) ?? ''

  const sweep = sweepOf(p, work)
  t.equal(await sweep(), 0)
  t.equal(await sweep(), 0, 'it may live still')
  await silence(p, dead, 700)
  t.equal(await sweep(), 0, 'silent, for the first time')
  t.equal(await sweep(), 1, 'and still')
  t.notOk(existsSync(join(work, dead)))
  t.equal(copies(living).length, 1, 'the copy of the living one is there')
  await lift()
})

test('a folder is kept while its worker gives signs, however late, and when it is not one of ours', async t => {
  const p = await testPipeline(t)
  const work = t.testdir({ 'not-a-worker': { file: '' } })
  const make = (id: string, ageMs = 0): string => {
    mkdirSync(join(work, id))
    writeFileSync(join(work, id, 'copy'), 'x')
    const changed = new Date(Date.now() - ageMs)
    utimesSync(join(work, id), changed, changed)
    return id
  }
  const list = (id: string) => p.pool.query(`insert into worker (id, host) values ($1, 'elsewhere')`, [id])
  const [silentOne, late, unlisted, oldUnlisted] = [
    make(newId()),
    make(newId()),
    make(newId()),
    make(newId(), 25 * HOUR_MS)
  ]
  writeFileSync(join(work, newId()), 'a file, no folder')
  await list(silentOne)
  await list(late)
  await silence(p, silentOne, 601)
  await silence(p, late, 601)
  const sweep = sweepOf(p, work)
  t.equal(await sweep(), 0)
  // The database was away from all of them: the first to reach it again must not take the others for dead.
  await p.pool.query('update worker set seen_at = now() where id = $1', [late])
  t.equal(await sweep(), 2)
  t.strictSame(
    [silentOne, late, unlisted, oldUnlisted].map(id => existsSync(join(work, id))),
    [false, true, true, false]
  )
  t.ok(existsSync(join(work, 'not-a-worker')))
  t.equal(await sweepOf(p, join(work, 'missing'))(), 0, 'without a folder there is nothing to do')
})

test('a worker that ends in order leaves neither folder nor entry', async t => {
  const p = await testPipeline(t)
  const worker = spawnWorker(t, { url: p.url, folder: p.folder })
  const listed = async (): Promise<number> => (await p.pool.query('select 1 from worker')).rowCount ?? 0
  await until(async () => (await listed()) === 1)
  await until(() => Promise.resolve(worker.log().includes('worker started')))
  worker.kill('SIGTERM')
  await worker.exited
  t.equal(await listed(), 0)
  const work = join(p.folder, 'work')
  t.strictSame(existsSync(work) ? readdirSync(work) : [], [])
})
