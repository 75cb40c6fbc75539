import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { listZipEntries, readZipEntries, ZIP_LIMITS, ZipFault } from '../../src/media/unzip.ts'
import { makeZip } from './zip-builder.ts'

const all = (): boolean => true

async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => 'no fault',
    (reason: unknown) => reason
  )
  return error instanceof ZipFault ? `${error.kind} ${error.reason}` : String(error)
}
const hello = { name: 'word/document.xml', content: Buffer.from('<w:document/>') }

test('reads the wanted entries from a buffer and from a path', async t => {
  const zip = makeZip([hello, { name: 'word/', content: Buffer.alloc(0) }, { name: 'x.bin', content: randomBytes(9) }])
  const path = `${t.testdir()}/a.zip`
  writeFileSync(path, zip)
  for (const source of [zip, path]) {
    const found = await readZipEntries(source, name => name.startsWith('word/'))
    t.strictSame([...found.keys()], ['word/document.xml'])
    t.equal(found.get('word/document.xml')?.toString(), '<w:document/>')
  }
  t.strictSame(
    (await listZipEntries(zip)).map(entry => entry.name),
    ['word/document.xml', 'word/', 'x.bin']
  )
})

test('a missing file is the system error, not a fault of the archive', async t => {
  await t.rejects(readZipEntries(`${t.testdir()}/none.zip`, all), { code: 'ENOENT' })
})

const FAULTY: readonly [string, Buffer, string, string][] = [
  ['an encrypted entry', makeZip([{ ...hello, flags: 1 }]), 'encrypted', 'FILE_ENCRYPTED'],
  ['a wrong checksum', makeZip([{ ...hello, crc: 1 }]), 'corrupt', 'FILE_CORRUPT'],
  ['two entries of one name', makeZip([hello, hello]), 'corrupt', 'FILE_CORRUPT'],
  ['a path that climbs', makeZip([{ ...hello, name: '../etc/passwd' }]), 'path', 'FILE_CORRUPT'],
  ['a path that climbs by backslash', makeZip([{ ...hello, name: 'a\\..\\..\\b' }]), 'path', 'FILE_CORRUPT'],
  ['an absolute path', makeZip([{ ...hello, name: '/etc/passwd' }]), 'path', 'FILE_CORRUPT'],
  ['a cut archive', makeZip([hello]).subarray(0, 60), 'corrupt', 'FILE_CORRUPT'],
  ['no archive at all', Buffer.from('hello'), 'corrupt', 'FILE_CORRUPT']
]

for (const [what, zip, kind, reason] of FAULTY) {
  test(`${what} is ${kind}`, async t => {
    t.equal(await faultOf(readZipEntries(zip, all)), `${kind} ${reason}`)
  })
}

test('limits count what is really there, whatever the headers claim', async t => {
  const bomb = makeZip([{ name: 'a', content: Buffer.alloc(3e6), claimed: 10 }])
  t.equal(await faultOf(readZipEntries(bomb, all)), 'ratio FILE_TOO_LARGE')
  const two = makeZip([
    { name: 'a', content: randomBytes(600) },
    { name: 'b', content: randomBytes(600) }
  ])
  t.equal(await faultOf(readZipEntries(two, all, { ...ZIP_LIMITS, bytes: 1000 })), 'bytes FILE_TOO_LARGE')
  t.equal((await readZipEntries(two, all, { ...ZIP_LIMITS, bytes: 1200 })).size, 2)
  t.equal((await readZipEntries(bomb, () => false)).size, 0, 'an entry that is not wanted is never inflated')
})

test('too many entries are refused before any is read', async t => {
  const zip = makeZip(Array.from({ length: 2001 }, (_, index) => ({ name: `e${index}`, content: Buffer.alloc(0) })))
  t.equal(await faultOf(listZipEntries(zip)), 'entries FILE_TOO_LARGE')
  t.equal((await listZipEntries(zip, { ...ZIP_LIMITS, entries: 2001 })).length, 2001)
})
