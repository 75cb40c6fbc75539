import { test } from 'tap'
import { detectEncoding } from '../../src/tabular/text/detect-encoding.ts'
import { escapeBytes } from '../../src/tabular/text/encodings.ts'
import { outline, rowsOf, utf32 } from './read-all.ts'

const TEXT = 'permit_number,applicant,status\nBP-1,Ida Müller,"neu\n€ 5"\nBP-2,José Núñez 🏠,alt\n'

function encode(text: string, encoding: 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'): Buffer {
  const bytes = encoding.startsWith('utf-32') ? utf32(text) : Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') bytes.swap16()
  if (encoding === 'utf-32be') bytes.swap32()
  return bytes
}

for (const encoding of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const) {
  test(`${encoding}, with and without a byte order mark`, async t => {
    for (const mark of ['', '\ufeff']) {
      const bytes = encode(mark + TEXT, encoding)
      t.equal(detectEncoding(bytes).encoding, encoding)
      const rows = await rowsOf(bytes)
      t.strictSame(outline(rows), ['1 2 ok', '2 4 ok'])
      t.strictSame(
        rows.map(row => row.values),
        [
          ['BP-1', 'Ida Müller', 'neu\n€ 5'],
          ['BP-2', 'José Núñez 🏠', 'alt']
        ]
      )
    }
  })
}

test('half a character and a file cut inside a unit hold their row', async t => {
  const half = encode('permit_number,status\nBP-1,x\nBP-2,\ud800\nBP-3,y\n', 'utf-16le')
  t.strictSame(outline(await rowsOf(half)), ['1 2 ok', '2 3 TEXT_NOT_STORABLE', '3 4 ok'])
  const whole = encode('permit_number,status\nBP-1,x\nBP-2,y', 'utf-16le')
  const rows = await rowsOf(whole.subarray(0, -1), { encoding: 'utf-16le' })
  t.strictSame(outline(rows), ['1 2 ok', '2 3 TEXT_NOT_STORABLE'])
})

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

test('single-byte text is told by how its words read', t => {
  const told = (bytes: Buffer): string => detectEncoding(bytes).encoding
  t.equal(told(latin('name\nJos\xe9 N\xfa\xf1ez\nM\xfcller\n')), 'windows-1252')
  t.equal(told(latin('name\nO\x92Brien \x96 37\xb0\n')), 'windows-1252', 'typographic marks only')
  t.equal(told(latin('name\nJos\x8e Nu\x96ez\nM\x9fller\n')), 'macintosh')
  t.equal(told(latin('name\n\xa3\xf3d\x9f \xafak\nW\xb3adys\xb3aw\n')), 'windows-1250')
  for (const name of ['Lech Wa\xb3\xeasa', '\xa3\xf3d\x9f', 'Pawe\xb3 Wr\xf3bel\nMa\xb3ysz']) {
    t.equal(told(latin(`name\n${name}\n`)), 'windows-1250', 'marks inside words are letters')
  }
  t.equal(told(latin('name\n\xa3\xf3d\xbc\n')), 'iso-8859-2')
  t.equal(told(latin('name\nJos\xe9\n20 ft\xb2, 3\xbd in, \xa3500\n')), 'windows-1252', 'marks beside words')
  t.equal(told(latin('name\n\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0\xee\xe2\xee\xe9\n')), 'windows-1251')
  const inspection = '\xcf\xf0\xee\xe2\xe5\xf0\xea\xe0 \xe7\xe4\xe0\xed\xe8\xff'
  t.equal(told(latin(`name\n${inspection}\n`)), 'windows-1251', 'no euro sign ends a word')
  t.equal(told(latin('name\nKu\xe8era\n')), 'ascii', 'Kučera or Kuèera: nothing is guessed')
  t.equal(told(Buffer.from('name\nJosé\n')), 'utf-8')
  t.equal(told(latin('plain\n')), 'utf-8')
  t.end()
})

test('a declared encoding is believed unless a mark contradicts it', t => {
  t.equal(detectEncoding(latin('\xcf\xf0\xe8'), 'Windows-1251').encoding, 'windows-1251')
  t.equal(detectEncoding(latin('Jos\xe9'), 'ISO-8859-1').encoding, 'windows-1252')
  t.equal(detectEncoding(Buffer.from('\ufeffx'), 'windows-1251').encoding, 'utf-8')
  t.equal(detectEncoding(Buffer.from('x'), '__proto__').encoding, 'utf-8')
  t.end()
})

test('in single-byte text, unassigned bytes and UTF-8 by its look hold their row', async t => {
  const body = 'Jos\xe9,a\nM\xfcller,b\nx\x81y,c\nGro\xc3\x9fer,d\nfin\n'
  const rows = await rowsOf(latin(`applicant,status\n${body}`))
  t.strictSame(outline(rows), [
    '1 2 ok',
    '2 3 ok',
    '3 4 ENCODING_INVALID',
    '4 5 ENCODING_INVALID',
    '5 6 COLUMN_COUNT_MISMATCH'
  ])
  t.equal(rows[1]?.values[0], 'Müller')
})

test('what is no text is shown as escapes that keep two sources apart', t => {
  t.equal(escapeBytes(latin('a\xe9b\x00\xc3\xa9')), 'a\\xE9b\\u0000é')
  t.not(escapeBytes(latin('\xe9')), escapeBytes(latin('\xe8')))
  t.end()
})
