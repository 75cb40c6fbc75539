import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateRawSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { ArchiveFault } from '../../../src/media/archive/archive-fault.ts'
import { type ArchiveEntry, openArchive } from '../../../src/media/archive/open-archive.ts'
import { gunzip } from '../../../src/media/archive/unfold.ts'
import { type MadeEntry, makeZip } from '../zip-builder.ts'

const opener =
  (bytes: Buffer) =>
  async ({ start, end }: { start: number; end: number }): Promise<Readable> =>
    Readable.from([bytes.subarray(start, end + 1)])

const entriesOf = async (made: readonly MadeEntry[], max = 100) => {
  const bytes = makeZip(made)
  return (await openArchive(opener(bytes), bytes.length, max)).entries
}

const read = (entry: ArchiveEntry | undefined, limit = 1e9): Promise<Buffer> =>
  buffer(Readable.from(entry?.read(limit) ?? []))

const faultOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof ArchiveFault ? error.reason : String(error))
  )

const some = Buffer.from('a,b\n1,2\n')

t.test('an entry is read whole, from behind others, as it is and compressed', async t => {
  const entries = await entriesOf([
    { name: 'a.csv', content: some },
    { name: 'folder/b.csv', content: Buffer.alloc(300_000, 'x'), method: 0 },
    { name: 'c.csv', content: Buffer.from('c') }
  ])
  t.strictSame(
    entries.map(entry => entry.path),
    ['a.csv', 'folder/b.csv', 'c.csv']
  )
  t.strictSame(await read(entries[2]), Buffer.from('c'))
  t.equal((await read(entries[1])).length, 300_000)
  t.strictSame(await read(entries[0]), some)
})

t.test('names are for people, and lead nowhere', async t => {
  const names: [string | Buffer, string][] = [
    ['../../etc/passwd.csv', 'etc/passwd.csv'],
    ['/abs/x.csv', 'abs/x.csv'],
    ['C:\\temp\\x.csv', 'temp/x.csv'],
    ['a\0b.csv', 'ab.csv'],
    ['line\nbreak.csv', 'linebreak.csv'],
    ['..', 'entry-6'],
    [Buffer.from('M\x84rz.csv', 'latin1'), 'März.csv'],
    [Buffer.from('März.csv'), 'März.csv'],
    ['same.csv', 'same.csv'],
    ['same.csv', 'same.csv'],
    [`${'d/'.repeat(30)}x.csv`, `…/${'d/'.repeat(19)}x.csv`],
    [`${'n'.repeat(400)}.csv`, `${'n'.repeat(251)}.csv`]
  ]
  const entries = await entriesOf(names.map(([name]) => ({ name, content: some })))
  t.strictSame(
    entries.map(entry => entry.path),
    names.map(([, shown]) => shown)
  )
})

t.test('folders, links and what systems leave behind are told from files', async t => {
  const empty = Buffer.alloc(0)
  const entries = await entriesOf([
    { name: 'folder/', content: empty },
    { name: 'folder/full/', content: some },
    { name: '__MACOSX/._a.csv', content: some },
    { name: 'x/.DS_Store', content: some },
    { name: 'Thumbs.db', content: some },
    { name: 'link', content: Buffer.from('/etc/passwd'), mode: 0o120777 },
    { name: 'file', content: some, mode: 0o100644 }
  ])
  const kinds = ['folder', 'file', 'system', 'system', 'system', 'link', 'file']
  t.strictSame(
    entries.map(entry => entry.kind),
    kinds
  )
})

t.test('an entry that cannot be read says why, whatever its headers claim', async t => {
  const zeros = Buffer.alloc(3_000_000)
  const cases: [string, Partial<MadeEntry>, number?][] = [
    ['FILE_ENCRYPTED', { flags: 1 }],
    ['FILE_TYPE_UNSUPPORTED', { method: 12 }],
    ['FILE_CORRUPT', { crc: 1 }],
    ['FILE_CORRUPT', { claimed: 3 }],
    ['FILE_CORRUPT', { claimed: 30 }],
    ['FILE_CORRUPT', { deflated: Buffer.from('not deflated') }],
    ['FILE_TRUNCATED', { deflated: deflateRawSync(some).subarray(0, 4) }],
    ['FILE_CORRUPT', { deflated: Buffer.concat([deflateRawSync(some), some]) }],
    ['FILE_TOO_LARGE', { content: zeros }],
    ['FILE_CORRUPT', { content: zeros, claimed: 10 }],
    ['FILE_TOO_LARGE', {}, 7]
  ]
  for (const [reason, change, limit] of cases) {
    const entries = await entriesOf([
      { name: 'a', content: some, ...change },
      { name: 'b', content: some }
    ])
    t.equal(await faultOf(read(entries[0], limit)), reason, JSON.stringify(change).slice(0, 60))
    t.strictSame(await read(entries[1]), some, 'its neighbour is read')
    t.ok((await buffer(Readable.from(entries[0]?.readStored() ?? []))).length > 0)
  }
})

t.test('an archive that cannot be opened says why', async t => {
  const whole = makeZip([{ name: 'a', content: some }])
  const open = (bytes: Buffer, max = 10) => faultOf(openArchive(opener(bytes), bytes.length, max))
  t.equal(await open(whole.subarray(0, whole.length - 30)), 'FILE_TRUNCATED')
  t.equal(await open(Buffer.concat([whole.subarray(0, 30), whole.subarray(40)])), 'FILE_CORRUPT')
  t.equal(
    await open(makeZip(Array.from({ length: 11 }, (_, i) => ({ name: `${i}`, content: some })))),
    'FILE_TOO_LARGE'
  )
  const shared = { name: 'b', content: some, sharesWith: 0 }
  t.equal(await open(makeZip([{ name: 'a', content: some }, shared])), 'FILE_CORRUPT')
  const failing = () => Promise.reject(new Error('the store is away'))
  t.equal(await faultOf(openArchive(failing, whole.length, 10)), 'Error: the store is away')
})

t.test('gzip data is read through all its members, and nothing behind it is dropped', async t => {
  const member = gzipSync(some)
  const unfold = async (bytes: Buffer, limit = 1e6): Promise<string> => {
    const pieces = gunzip({ open: opener(bytes), start: 0, size: bytes.length, limit })
    return buffer(Readable.from(pieces)).then(
      out => `${out.length}`,
      (error: unknown) => (error instanceof ArchiveFault ? error.reason : String(error))
    )
  }
  t.equal(await unfold(member), '8')
  t.equal(await unfold(Buffer.concat([member, member])), '16')
  t.equal(await unfold(Buffer.concat([member, Buffer.alloc(512)])), '8')
  t.equal(await unfold(Buffer.concat([member, Buffer.from('tail')])), 'FILE_CORRUPT')
  t.equal(await unfold(Buffer.concat([member, Buffer.alloc(8), Buffer.from('tail')])), 'FILE_CORRUPT')
  t.equal(await unfold(member.subarray(0, member.length - 3)), 'FILE_TRUNCATED')
  t.equal(await unfold(member, 7), 'FILE_TOO_LARGE')
  t.equal(await unfold(gzipSync(Buffer.alloc(2_000_000)), 1e9), 'FILE_TOO_LARGE')
})

t.test('a directory that lists more entries than it says leaves none of them out unseen', async t => {
  const bytes = makeZip(['a.csv', 'b.csv', 'c.csv'].map(name => ({ name, content: some })))
  const end = bytes.lastIndexOf('PK\x05\x06')
  for (const count of [0, 1, 2]) {
    bytes.writeUInt16LE(count, end + 8)
    bytes.writeUInt16LE(count, end + 10)
    t.equal(await faultOf(openArchive(opener(bytes), bytes.length, 100)), 'FILE_CORRUPT', `${count} of 3`)
  }
})

const LISTED = ['a.csv', 'b.csv', 'c.csv'].map(name => ({ name, content: some }))

/** Leaves one entry out of the directory, not its bytes. */
function withoutListing(bytes: Buffer, number: number): Buffer {
  const end = bytes.lastIndexOf('PK\x05\x06')
  const directory = bytes.readUInt32LE(end + 16)
  const starts: number[] = []
  for (let at = bytes.indexOf('PK\x01\x02', directory); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    starts.push(at)
  const from = starts[number] ?? 0
  const to = starts[number + 1] ?? end
  const tail = Buffer.from(bytes.subarray(end))
  tail.writeUInt16LE(starts.length - 1, 8)
  tail.writeUInt16LE(starts.length - 1, 10)
  tail.writeUInt32LE(end - directory - (to - from), 12)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to, end), tail])
}

/** Puts bytes at some place before the directory, and moves what stands behind. */
function withBytes(bytes: Buffer, at: number, put: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const end = copy.lastIndexOf('PK\x05\x06')
  const directory = copy.readUInt32LE(end + 16)
  for (let entry = copy.indexOf('PK\x01\x02', directory); entry >= 0; entry = copy.indexOf('PK\x01\x02', entry + 4)) {
    const offset = copy.readUInt32LE(entry + 42)
    if (offset >= at) copy.writeUInt32LE(offset + put.length, entry + 42)
  }
  copy.writeUInt32LE(directory + put.length, end + 16)
  return Buffer.concat([copy.subarray(0, at), put, copy.subarray(at)])
}

const openedAs = async (bytes: Buffer): Promise<string> =>
  openArchive(opener(bytes), bytes.length, 100).then(
    archive => archive.entries.map(({ path }) => path).join(' '),
    (error: unknown) => (error instanceof ArchiveFault ? `${error.reason} ${error.message}` : String(error))
  )

t.test('an entry that the directory does not list is never left out unseen', async t => {
  const bytes = makeZip(LISTED)
  for (const number of [0, 1, 2]) {
    t.match(await openedAs(withoutListing(bytes, number)), /^FILE_CORRUPT .*does not list/, `entry ${number} of 3`)
  }
  t.match(
    await openedAs(withoutListing(makeZip(LISTED.slice(0, 1)), 0)),
    /^FILE_CORRUPT .*does not list/,
    'the only one'
  )
  const other = makeZip([{ name: 'd.csv', content: some }])
  t.match(await openedAs(withBytes(bytes, 0, other)), /^FILE_CORRUPT .*does not list/, 'an archive in front')
  for (const padding of [70_000, 1_048_576 - 2, 3_000_000]) {
    const far = Buffer.concat([Buffer.alloc(padding, 1), other])
    t.match(await openedAs(withBytes(bytes, 0, far)), /^FILE_CORRUPT .*does not list/, `behind ${padding} bytes`)
  }
  t.equal(await openedAs(withBytes(bytes, 0, Buffer.alloc(3_000_000, 1))), 'a.csv b.csv c.csv', 'padding is no entry')
  const vast = Buffer.alloc(65 * 1024 * 1024)
  t.match(
    await openedAs(withBytes(bytes, 0, vast)),
    /^FILE_CORRUPT .*belong to no entry/,
    'more than is looked through'
  )
})

t.test('bytes that hold no entry are no fault: descriptors of sizes, fields, a program in front', async t => {
  const bytes = makeZip(LISTED)
  const second = bytes.indexOf('PK\x03\x04', 4)
  const descriptor = Buffer.alloc(24)
  descriptor.write('PK\x07\x08', 'latin1')
  t.equal(await openedAs(withBytes(bytes, second, descriptor)), 'a.csv b.csv c.csv')
  t.equal(await openedAs(withBytes(bytes, 0, Buffer.alloc(5000, 'MZ'))), 'a.csv b.csv c.csv')
  t.equal(await openedAs(withBytes(bytes, second, Buffer.alloc(100_000))), 'a.csv b.csv c.csv')
  t.match(await openedAs(Buffer.concat([Buffer.alloc(50), bytes])), /^FILE_CORRUPT/, 'places that do not fit')
  t.match(await openedAs(Buffer.concat([bytes, Buffer.alloc(50)])), /^FILE_/, 'something behind the end')
})

t.test('a directory that counts more entries than it lists is no archive', async t => {
  const bytes = makeZip(LISTED)
  const end = bytes.lastIndexOf('PK\x05\x06')
  bytes.writeUInt16LE(4, end + 8)
  bytes.writeUInt16LE(4, end + 10)
  t.match(await openedAs(bytes), /^FILE_CORRUPT/)
})
