import { spawnSync } from 'node:child_process'
import { mkdtempSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { newId } from '../../src/model/ids.ts'
import { createFileStore } from '../../src/storage/file-store.ts'
import { payloadKey } from '../../src/storage/payload-store.ts'
import { payloadStoreSuite, spoolOf } from './payload-store-suite.ts'

const ROOT = join(import.meta.dirname, '../..')

function freshFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-store-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'payloads')
}

test('the file store keeps the contract', t => {
  payloadStoreSuite(t, inner => createFileStore({ folder: freshFolder(inner), newId }))
  t.end()
})

test('nobody but the owner can read what is stored', async t => {
  const folder = freshFolder(t)
  const store = await createFileStore({ folder, newId })
  const spooled = await spoolOf(store, [Buffer.from('x')])
  const key = payloadKey('53033', newId())
  await store.commit([{ spooled, key }])
  t.equal(statSync(join(folder, key)).mode & 0o777, 0o600)
  for (const path of ['', 'spool', '53033']) t.equal(statSync(join(folder, path)).mode & 0o777, 0o700)
})

test('a device that takes no more is a fault of the store, and the partial file is removed', t => {
  const folder = freshFolder(t)
  const script = `
    import { newId } from './src/model/ids.ts'
    import { createFileStore } from './src/storage/file-store.ts'
    const store = await createFileStore({ folder: ${JSON.stringify(folder)}, newId })
    const spool = store.createSpool({ limitBytes: 1e9 })
    spool.on('error', error => console.log(error.code))
    spool.on('close', async () => console.log((await store.listSpool(new Date(8e15))).length))
    spool.end(Buffer.alloc(3_000_000))`
  // A limit on file sizes (in 512-byte blocks) stands for a full disk: the write fails half way.
  const command = `unset NODE_OPTIONS; ulimit -f 2048; exec "$NODE" --input-type=module -e "$SCRIPT"`
  const env = { NODE: process.execPath, SCRIPT: script, PATH: process.env['PATH'] ?? '' }
  const run = spawnSync('sh', ['-c', command], { cwd: ROOT, env, encoding: 'utf8' })
  t.equal(run.stdout, 'STORE_UNAVAILABLE\n0\n', run.stderr)
  t.end()
})

test('a store whose folder was taken away says so', async t => {
  const folder = freshFolder(t)
  const store = await createFileStore({ folder, newId })
  await rm(join(folder, 'spool'), { recursive: true })
  await t.rejects(spoolOf(store, [Buffer.from('x')]), { code: 'STORE_UNAVAILABLE' })
  await t.rejects(store.check(), { code: 'STORE_UNAVAILABLE' })
})

test('a folder that cannot be made is named as the store being away', async t => {
  await t.rejects(createFileStore({ folder: '/dev/null/payloads', newId }), { code: 'STORE_UNAVAILABLE' })
})
