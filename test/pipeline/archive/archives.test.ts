import { deflateRawSync, gzipSync } from 'node:zlib'
import Pdf from 'pdfkit'
import t, { type Test } from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { formOf } from '../../api/bodies.ts'
import { type Deployment, testDeployment } from '../../conformance/deployment.ts'
import { json } from '../../helpers/app.ts'
import { type MadeEntry, makeZip } from '../../media/zip-builder.ts'

const csv = (tag: string, rows: number): Buffer => {
  const lines = Array.from({ length: rows }, (_, i) => `${tag}-${i},22-${i},roof,${i + 1}.00`)
  return Buffer.from(`permit_number,parcel_id,permit_type,valuation\n${lines.join('\n')}\n`)
}

async function pdf(text: string): Promise<Buffer> {
  const made = new Pdf({ size: 'LETTER' })
  const blocks: Buffer[] = []
  made.on('data', (block: Buffer) => blocks.push(block))
  const ended = new Promise(resolve => made.on('end', resolve))
  made.text(text).end()
  await ended
  return Buffer.concat(blocks)
}

const docx = (text: string): Buffer =>
  makeZip([
    {
      name: '[Content_Types].xml',
      content: Buffer.from(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
      )
    },
    {
      name: '_rels/.rels',
      content: Buffer.from(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
      )
    },
    {
      name: 'word/document.xml',
      content: Buffer.from(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`
      )
    }
  ])

const file = (name: string, content: Buffer, more: Partial<MadeEntry> = {}): MadeEntry => ({ name, content, ...more })

interface ShownFile {
  readonly id: string
  readonly filename: string
  readonly media_type: string
  readonly sha256: string
  readonly size: number
  readonly archive_id: string | null
  readonly archive: { files: number; ignored_folders: number; ignored_system_files: number } | null
}

/** Sends files, waits for the end and answers files with what became of the records of each. */
async function sent(d: Deployment, files: Readonly<Record<string, Buffer>>, fields: Record<string, string> = {}) {
  const bytes = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, new Uint8Array(content)]))
  const form = formOf(bytes, { profile: 'permit', jurisdiction: '53033', ...fields })
  const answer = await d.api.fetch('/v1/batches', { method: 'POST', body: form })
  if (answer.status !== 202) throw new Error(`refused: ${await answer.text()}`)
  const accepted = await json(answer)
  const batch = await d.ended(accepted.id)
  const records = await d.records(accepted.id)
  const outcomes = new Map<string, string[]>()
  for (const { filename, state, reasons } of records) {
    const told = [state, ...reasons.map(reason => reason.code)].join(' ')
    outcomes.set(filename, [...(outcomes.get(filename) ?? []), told])
  }
  return { id: accepted.id, accepted, batch, outcomes, files: (batch as unknown as { files: ShownFile[] }).files }
}

async function assertSound(t: Test, d: Deployment): Promise<void> {
  const { pool, store } = d.api.deps
  t.strictSame((await verify({ pool, store, payloads: true })).offenders, [])
}

t.test('everything in an archive becomes a file of the batch and ends in a state', async t => {
  const d = await testDeployment(t)
  const inner = makeZip([
    file('july.csv', csv('J', 2)),
    file('deeper.zip', makeZip([file('x.csv', csv('X', 1))])),
    file('deeper.csv.gz', gzipSync(csv('Y', 1)))
  ])
  const archive = makeZip([
    file('permits/', Buffer.alloc(0)),
    file('permits/june.csv', csv('A', 3)),
    file('forms/one.pdf', await pdf('Permit number: P-1')),
    file('forms/two.docx', docx('Permit number: P-2')),
    file('inner.zip', inner),
    file('secret.csv', csv('S', 1), { flags: 1 }),
    file('may.csv.gz', gzipSync(csv('G', 2))),
    file('broken.csv', csv('B', 1), { crc: 7 }),
    file('lzma.csv', csv('L', 1), { method: 14 }),
    file('tool.exe', Buffer.from('MZ\0\x01\x02')),
    file('empty.csv', Buffer.alloc(0)),
    file('link.csv', Buffer.from('june.csv'), { mode: 0o120777 }),
    file('../up.csv', csv('U', 1)),
    file('__MACOSX/permits/._june.csv', Buffer.from('x')),
    file('permits/.DS_Store', Buffer.from('x'))
  ])
  const { batch, outcomes, files, accepted } = await sent(d, { 'june.zip': archive, 'after.csv': csv('Z', 1) })
  t.strictSame(
    [...outcomes],
    [
      ['june.zip/permits/june.csv', ['accepted', 'accepted', 'accepted']],
      ['june.zip/forms/one.pdf', outcomes.get('june.zip/forms/one.pdf')],
      ['june.zip/forms/two.docx', outcomes.get('june.zip/forms/two.docx')],
      ['june.zip/inner.zip/july.csv', ['accepted', 'accepted']],
      ['june.zip/inner.zip/deeper.zip', ['quarantined ARCHIVE_TOO_DEEP']],
      ['june.zip/inner.zip/deeper.csv.gz', ['quarantined ARCHIVE_TOO_DEEP']],
      ['june.zip/secret.csv', ['quarantined FILE_ENCRYPTED']],
      ['june.zip/may.csv.gz/may.csv', ['accepted', 'accepted']],
      ['june.zip/broken.csv', ['quarantined FILE_CORRUPT']],
      ['june.zip/lzma.csv', ['rejected FILE_TYPE_UNSUPPORTED']],
      ['june.zip/tool.exe', ['rejected FILE_TYPE_UNSUPPORTED']],
      ['june.zip/empty.csv', ['rejected FILE_EMPTY']],
      ['june.zip/link.csv', ['rejected FILE_TYPE_UNSUPPORTED']],
      ['june.zip/up.csv', ['accepted']],
      ['after.csv', ['accepted']]
    ]
  )
  t.strictSame(
    accepted.files.map(one => one.filename),
    ['june.zip', 'after.csv']
  )
  const { total, pending, accepted: good, quarantined, rejected } = batch.counts
  t.strictSame([total, pending, good, rejected], [19, 0, 9, 4])
  t.equal((good ?? 0) + (quarantined ?? 0) + (rejected ?? 0), total)
  const [top] = files
  t.strictSame(top?.archive, { files: 12, ignored_folders: 1, ignored_system_files: 2 })
  t.equal(top?.size, archive.length)
  const byName = new Map(files.map(one => [one.filename, one]))
  t.equal(byName.get('june.zip/up.csv')?.archive_id, top?.id)
  t.equal(byName.get('june.zip/inner.zip/july.csv')?.archive_id, byName.get('june.zip/inner.zip')?.id)
  t.equal(byName.get('june.zip/may.csv.gz/may.csv')?.archive_id, byName.get('june.zip/may.csv.gz')?.id)
  t.equal(byName.get('after.csv')?.archive_id, null)
  await assertSound(t, d)
})

t.test('the same archive again is the same batch, and its content in a new one is known', async t => {
  const d = await testDeployment(t)
  const zip = { 'a.zip': makeZip([file('a.csv', csv('A', 2)), file('secret.csv', csv('S', 1), { flags: 1 })]) }
  const first = await sent(d, zip)
  const again = await sent(d, zip)
  t.equal(again.id, first.id)
  const forced = await sent(d, zip, { force: 'true' })
  t.not(forced.id, first.id)
  t.equal(forced.batch.counts['duplicate'], 2)
  const plain = await sent(d, { 'a.csv': csv('A', 2) })
  t.equal(plain.batch.counts['duplicate'], 2)
  await assertSound(t, d)
})

t.test('gzip is unfolded whatever its name, and its content has to fit the name', async t => {
  const d = await testDeployment(t)
  const { outcomes, files } = await sent(d, {
    'a.csv.gz': gzipSync(csv('A', 1)),
    'b.csv': gzipSync(csv('B', 1)),
    'c.pdf.gz': gzipSync(csv('C', 1)),
    'cut.csv.gz': gzipSync(csv('D', 50)).subarray(0, 60),
    'joined.csv.gz': Buffer.concat([gzipSync(csv('E', 1)), Buffer.from('tail')]),
    'members.csv.gz': Buffer.concat([gzipSync(csv('F', 1)), gzipSync('F-9,22-9,roof,1.00\n')]),
    'zip.zip.gz': gzipSync(makeZip([file('x.csv', csv('X', 1))])),
    'empty.csv.gz': gzipSync('')
  })
  t.strictSame(
    [...outcomes],
    [
      ['a.csv.gz/a.csv', ['accepted']],
      ['b.csv/b.csv', ['accepted']],
      ['c.pdf.gz/c.pdf', ['quarantined FILE_TYPE_MISMATCH']],
      ['cut.csv.gz', ['quarantined FILE_TRUNCATED']],
      ['joined.csv.gz', ['quarantined FILE_CORRUPT']],
      ['members.csv.gz/members.csv', ['accepted', 'accepted']],
      ['zip.zip.gz/zip.zip/x.csv', ['accepted']],
      ['empty.csv.gz/empty.csv', ['rejected FILE_EMPTY']]
    ]
  )
  t.equal(files.find(one => one.filename === 'a.csv.gz')?.size, gzipSync(csv('A', 1)).length, 'as it was sent')
  await assertSound(t, d)
})

t.test('a raw body may be an archive, or in gzip', async t => {
  const d = await testDeployment(t)
  const post = async (body: Buffer, headers: Record<string, string>) => {
    const query = '?profile=permit&jurisdiction=53033'
    const answer = await d.api.fetch(`/v1/batches${query}`, { method: 'POST', headers, body: new Uint8Array(body) })
    const { id } = await json(answer)
    await d.ended(id)
    return (await d.records(id)).map(({ filename, state }) => `${filename} ${state}`)
  }
  const encoded = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
  t.strictSame(await post(gzipSync(csv('R', 1)), encoded), ['body.csv/body.csv accepted'])
  const zip = makeZip([file('x.csv', csv('X', 1))])
  t.strictSame(await post(zip, { 'content-type': 'application/zip' }), ['body.zip/x.csv accepted'])
})

t.test('what may come out of an archive is counted as it comes out', async t => {
  const d = await testDeployment(t)
  const zeros = Buffer.alloc(900_000)
  const many = Array.from({ length: 21 }, (_, i) => file(`${i}.csv`, csv(`M${i}`, 1)))
  const noise = Buffer.from(Array.from({ length: 500 }, (_, i) => `N-${i},22-${i},roof,${i}.00`).join('\n'))
  const lying = file('lie.csv', csv('L', 1), { deflated: deflateRawSync(zeros) })
  const { outcomes } = await sent(d, {
    'total.zip': makeZip(
      Array.from({ length: 5 }, (_, i) => file(`${i}.bin`, Buffer.alloc(900_000, `${i}${noise.toString()}`)))
    ),
    'many.zip': makeZip(many),
    'entry.zip': makeZip([file('big.csv', Buffer.alloc(1_200_000)), file('ok.csv', csv('K', 1))]),
    'lying.zip': makeZip([lying, file('ok.csv', csv('O', 1))]),
    'shared.zip': makeZip([file('a.csv', csv('Q', 1)), file('b.csv', csv('Q', 1), { sharesWith: 0 })]),
    'nested.zip': makeZip([
      file('in.zip', makeZip(Array.from({ length: 5 }, (_, i) => file(`${i}.bin`, Buffer.alloc(900_000))))),
      file('ok.csv', csv('N', 1))
    ]),
    'empty.zip': makeZip([]),
    'litter.zip': makeZip([file('x/', Buffer.alloc(0)), file('x/.DS_Store', zeros)]),
    'cut.zip': makeZip(many.slice(0, 3)).subarray(0, 200)
  })
  t.strictSame(
    [...outcomes],
    [
      ['total.zip', ['rejected FILE_TOO_LARGE']],
      ['many.zip', ['rejected FILE_TOO_LARGE']],
      ['entry.zip/big.csv', ['rejected FILE_TOO_LARGE']],
      ['entry.zip/ok.csv', ['accepted']],
      ['lying.zip/lie.csv', ['quarantined FILE_CORRUPT']],
      ['lying.zip/ok.csv', ['accepted']],
      ['shared.zip', ['quarantined FILE_CORRUPT']],
      ['nested.zip/in.zip', ['rejected FILE_TOO_LARGE']],
      ['nested.zip/ok.csv', ['accepted']],
      ['empty.zip', ['rejected FILE_EMPTY']],
      ['litter.zip', ['rejected FILE_EMPTY']],
      ['cut.zip', ['quarantined FILE_TRUNCATED']]
    ]
  )
  await assertSound(t, d)
})
