import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Test } from 'tap'
import { newId } from '../../src/model/ids.ts'
import { type PayloadStore, payloadKey, type Spooled } from '../../src/storage/payload-store.ts'

const FUTURE = new Date(Date.now() + 3_600_000)
const PAST = new Date(Date.now() - 3_600_000)

export async function spoolOf(store: PayloadStore, blocks: Iterable<Buffer>, limitBytes = 1e9): Promise<Spooled> {
  const spool = store.createSpool({ limitBytes })
  await pipeline(Readable.from(blocks), spool)
  return spool.result()
}

async function keysOf(store: PayloadStore, before: Date): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.listPayloads(before)) keys.push(key)
  return keys
}

/** What every payload store must do, whatever it is made of. */
export function payloadStoreSuite(suite: Test, makeStore: (t: Test) => Promise<PayloadStore>): void {
  suite.test('bytes come back as they went in, whole and in ranges', async t => {
    const store = await makeStore(t)
    const bytes = Buffer.alloc(3_300_001, 'docket ')
    const blocks = [bytes.subarray(0, 1), bytes.subarray(1, 65_536), bytes.subarray(65_536)]
    const spooled = await spoolOf(store, blocks)
    t.equal(spooled.size, bytes.length)
    t.strictSame(spooled.sha256, createHash('sha256').update(bytes).digest())
    const key = payloadKey('53033', newId())
    const [uri = ''] = await store.commit([{ spooled, key }])
    t.equal(await store.size(uri), bytes.length)
    t.ok(bytes.equals(await buffer(await store.open(uri))))
    t.strictSame(await buffer(await store.open(uri, { start: 5, end: 9 })), bytes.subarray(5, 10))
    t.strictSame(await keysOf(store, FUTURE), [key])
    t.strictSame(await keysOf(store, PAST), [])
    t.strictSame(await store.listSpool(FUTURE), [], 'a committed file has left the spool')
  })

  suite.test('an empty file is a file', async t => {
    const store = await makeStore(t)
    const spooled = await spoolOf(store, [])
    t.equal(spooled.size, 0)
    const [uri = ''] = await store.commit([{ spooled, key: payloadKey('county-a', newId()) }])
    t.equal((await buffer(await store.open(uri))).length, 0)
  })

  suite.test('exactly the limit is taken, a byte more is refused and leaves nothing', async t => {
    const store = await makeStore(t)
    t.equal((await spoolOf(store, [Buffer.alloc(128)], 128)).size, 128)
    await t.rejects(spoolOf(store, [Buffer.alloc(128), Buffer.alloc(1)], 128), { code: 'FILE_TOO_LARGE' })
    t.equal((await store.listSpool(FUTURE)).length, 1, 'only the one that fits is there')
  })

  suite.test('an upload that breaks off leaves nothing', async t => {
    const store = await makeStore(t)
    async function* broken(): AsyncIterable<Buffer> {
      yield Buffer.alloc(2_000_000)
      throw new Error('gone')
    }
    await t.rejects(pipeline(Readable.from(broken()), store.createSpool({ limitBytes: 1e9 })), { message: 'gone' })
    t.strictSame(await store.listSpool(FUTURE), [])
  })

  suite.test('a commit of several is all or nothing', async t => {
    const store = await makeStore(t)
    const one = await spoolOf(store, [Buffer.from('one')])
    const other = await spoolOf(store, [Buffer.from('two')])
    await store.discard(other.name)
    const items = [one, other].map(spooled => ({ spooled, key: payloadKey('53033', newId()) }))
    await t.rejects(store.commit(items), { code: 'PAYLOAD_MISSING' })
    t.strictSame(await keysOf(store, FUTURE), [])
    t.strictSame(await store.listSpool(FUTURE), [])
  })

  suite.test('what is not there is said at once; removing it twice is no fault', async t => {
    const store = await makeStore(t)
    const spooled = await spoolOf(store, [Buffer.from('x')])
    const [uri = ''] = await store.commit([{ spooled, key: payloadKey('53033', newId()) }])
    await store.remove(uri)
    await store.remove(uri)
    await store.discard(spooled.name)
    await t.rejects(store.open(uri), { code: 'PAYLOAD_MISSING' })
    await t.rejects(store.size(uri), { code: 'PAYLOAD_MISSING' })
  })

  suite.test('only keys and names of our own making are taken', async t => {
    const store = await makeStore(t)
    const spooled = await spoolOf(store, [Buffer.from('x')])
    for (const key of ['../../etc/passwd', '53033/../../x', '/etc/passwd', `53033/${newId()}/x`, 'A/b', 'spool/x']) {
      await t.rejects(store.commit([{ spooled, key }]), { code: 'INTERNAL' }, key)
    }
    await t.rejects(store.discard('../x'), { code: 'INTERNAL' })
  })

  suite.test('a store that works passes its check', async t => {
    const store = await makeStore(t)
    await store.check()
    t.strictSame(await store.listSpool(FUTURE), [], 'the probe is gone')
  })
}
