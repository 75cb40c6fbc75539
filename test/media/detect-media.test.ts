import { test } from 'tap'
import { detectMedia, looksDelimited } from '../../src/media/detect-media.ts'
import { makeZip } from './zip-builder.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const zipOf = (...names: string[]): Buffer => makeZip(names.map(name => ({ name, content: Buffer.from('x') })))
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const OLE = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')

const CSV = 'permit_number,status\nBP-1,issued\nBP-2,final\n'
const LEASE =
  'LEASE AGREEMENT\n\nThis lease, made on May 1, 2024, is between A, B and C.\nRent is due monthly, in advance.\n'
const HTML = '<html><body>Session expired, please log in</body></html>'
const MAIL = 'Return-Path: <a@b.c>\nMessage-ID: <1@b.c>\nSubject: Lease\n\nhello\n'

type Row = readonly [what: string, head: Buffer, name: string, declared: string | undefined, expected: string]

/** Expected: media type, kind, and `!` for a mismatch. */
const ROWS: readonly Row[] = [
  ['PDF sent as octets', bytes('%PDF-1.7\n'), 'policy.bin', 'application/octet-stream', 'application/pdf document'],
  [
    'PDF behind junk',
    Buffer.concat([Buffer.alloc(1000, 10), bytes('%PDF-1.4')]),
    'a.pdf',
    undefined,
    'application/pdf document'
  ],
  ['PDF named CSV', bytes('%PDF-1.7\n'), 'a.csv', 'application/pdf', 'application/pdf document !'],
  ['PDF whose name is right and type is not', bytes('%PDF-1.7\n'), 'a.pdf', 'text/csv', 'application/pdf document'],
  ['HTML named PDF', bytes(HTML), 'policy.pdf', 'application/pdf', 'text/html unsupported !'],
  ['HTML in a comment first', bytes(`<!-- (c) -->\r\n${HTML}`), 'a.html', undefined, 'text/html unsupported'],
  ['text named PDF', bytes(LEASE), 'lease.pdf', undefined, 'text/plain data !'],
  [
    'a filing that marks its pages',
    bytes('<PAGE>\n\nEXHIBIT 10.23\n\nLEASE\nThis agreement is made'),
    'a.txt',
    'text/plain',
    'text/plain data'
  ],
  [
    'XML without a declaration',
    bytes('<permits><permit><id>1</id></permit></permits>'),
    'a.xml',
    undefined,
    'application/xml unsupported'
  ],
  [
    'XML whose root ends beyond the head',
    bytes('<permits>' + '<permit><id>1</id></permit>'.repeat(5)),
    'a.xml',
    undefined,
    'application/xml unsupported'
  ],
  ['DOCX', zipOf('[Content_Types].xml', 'word/document.xml'), 'a.docx', DOCX, `${DOCX} document`],
  ['DOCX without a telling name', zipOf('word/document.xml'), 'a', undefined, `${DOCX} document`],
  ['DOCX whose parts lie beyond the head', zipOf('[Content_Types].xml'), 'a.docx', undefined, `${DOCX} document`],
  ['DOCX named XLSX', zipOf('_rels/.rels', 'word/document.xml'), 'a.xlsx', undefined, `${DOCX} document !`],
  ['XLSX', zipOf('[Content_Types].xml', 'xl/workbook.xml'), 'a.xlsx', undefined, `${XLSX} data`],
  ['a ZIP of files', zipOf('june.csv', 'july.csv'), 'a.zip', undefined, 'application/zip archive'],
  ['a ZIP named DOCX', zipOf('june.csv'), 'a.docx', undefined, 'application/zip archive !'],
  [
    'another Office format',
    zipOf('[Content_Types].xml', 'ppt/slides/1.xml'),
    'a.pptx',
    undefined,
    'application/zip unsupported'
  ],
  ['old Word', Buffer.concat([OLE, utf16('WordDocument')]), 'a.doc', undefined, 'application/msword unsupported'],
  ['old Excel', Buffer.concat([OLE, utf16('Workbook')]), 'a.xls', undefined, 'application/vnd.ms-excel unsupported'],
  ['RTF', bytes('{\\rtf1 x}'), 'a.rtf', undefined, 'application/rtf unsupported'],
  ['gzip', bytes('\x1f\x8b\x08'), 'a.csv.gz', undefined, 'application/gzip archive'],
  ['PNG', bytes('\x89PNG\r\n\x1a\n'), 'a.png', undefined, 'image/png document'],
  ['JPEG', bytes('\xff\xd8\xff\xe0'), 'a.jpg', undefined, 'image/jpeg document'],
  ['TIFF', bytes('II*\0'), 'a.tif', undefined, 'image/tiff document'],
  ['HEIC', bytes('\0\0\0\x18ftypheic'), 'a.heic', undefined, 'image/heic unsupported'],
  ['mail', bytes(MAIL), 'a.eml', undefined, 'message/rfc822 unsupported'],
  ['a memo that is no mail', bytes('From: A\nTo: B\nDate: x\nSubject: y\n\nz'), 'a.txt', undefined, 'text/plain data'],
  ['CSV', bytes(CSV), 'a.csv', 'application/vnd.ms-excel', 'text/csv data'],
  ['CSV of another name', bytes(CSV), 'a.txt', 'text/plain', 'text/csv data'],
  ['CSV in UTF-16', utf16(`\ufeff${CSV}`), 'a.csv', undefined, 'text/csv data'],
  ['CSV in UTF-16 without a mark', utf16(CSV), 'upload', undefined, 'text/csv data'],
  ['a header and no rows', bytes('permit_number,status\n'), 'a.csv', undefined, 'text/csv data'],
  ['CSV with a NUL', bytes('a,b\n\0,2\n3,4\n'), 'a.csv', undefined, 'text/csv data'],
  ['JSON', bytes('\xef\xbb\xbf [{"a":1}]'), 'a.json', undefined, 'application/json data'],
  ['JSON named CSV', bytes('{"a":1}'), 'a.csv', undefined, 'application/json data'],
  ['JSON Lines', bytes('{"a":1}\n{"a":2}\n'), 'a', 'application/json', 'application/x-ndjson data'],
  ['broken JSON', bytes('oops'), 'a.json', undefined, 'application/json data'],
  ['prose', bytes(LEASE), 'lease.txt', undefined, 'text/plain data'],
  ['Markdown', bytes('# Lease\n\nText\n'), 'lease.md', undefined, 'text/markdown document'],
  [
    'other bytes',
    Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 7) % 31)),
    'a.bin',
    undefined,
    'application/octet-stream unsupported'
  ]
]

for (const [what, head, name, declared, expected] of ROWS) {
  test(`${what}: ${expected}`, t => {
    const media = detectMedia(head, name, declared)
    t.equal(`${media.mediaType} ${media.kind}${media.mismatch ? ' !' : ''}`, expected)
    t.end()
  })
}

test('a password around an Office file is told, so that extraction can say so', t => {
  const locked = Buffer.concat([OLE, utf16('EncryptedPackage')])
  t.match(detectMedia(locked, 'a.docx', undefined), {
    mediaType: DOCX,
    kind: 'document',
    encrypted: true,
    mismatch: false
  })
  t.match(detectMedia(locked, 'a.xlsx', undefined), { mediaType: XLSX, kind: 'unsupported', encrypted: true })
  t.equal(detectMedia(bytes('%PDF-1.7'), 'a.pdf', undefined).encrypted, false)
  t.end()
})

test('a steady delimiter', t => {
  t.equal(looksDelimited(CSV), true)
  t.equal(looksDelimited(Buffer.from(CSV)), true)
  t.equal(looksDelimited('a;b;c\n1,5;2,5;x\n'), true)
  t.equal(looksDelimited('"a, b"\t1\n"c"\t2\nd\t3\n'), true)
  t.equal(looksDelimited(LEASE), false)
  t.equal(looksDelimited('Dear Sir, hello.\nBest wishes, A.\n'), false)
  t.equal(looksDelimited(''), false)
  t.end()
})

test('a document shorter than any can be is what is left of one, whatever its bytes are', t => {
  for (const name of ['a.pdf', 'a.DOCX', 'scan.tiff']) t.ok(detectMedia(bytes('oops\n'), name, undefined).remnant, name)
  t.notOk(detectMedia(bytes('a,b\n1,2\n'), 'a.csv', undefined).remnant, 'a small data file')
  t.notOk(detectMedia(bytes(HTML), 'a.pdf', undefined).remnant, 'another kind of file')
  t.notOk(detectMedia(bytes('%PDF-1.7\n'), 'a.pdf', undefined).remnant, 'a header, for the reader to judge')
  t.end()
})
