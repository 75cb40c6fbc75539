import { test } from 'tap'
import { cleanFileName, cleanMediaType } from '../../src/media/file-name.ts'

test('a name keeps its words and loses what could do harm', t => {
  const names: [string | undefined, string][] = [
    ['june.csv', 'june.csv'],
    ['  june.csv ', 'june.csv'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\x.pdf', 'x.pdf'],
    ['a\r\nSet-Cookie: x.csv', 'aSet-Cookie: x.csv'],
    ['a\0b.csv', 'ab.csv'],
    ['\u202Efdp.exe', 'fdp.exe'],
    ['zero\u200Bwidth.csv', 'zerowidth.csv'],
    ['Ma\u0308rz.csv', 'M\u00e4rz.csv'],
    ['\ud800.csv', '\ufffd.csv'],
    ['CON', 'CON'],
    ['', 'file-3'],
    ['.', 'file-3'],
    ['..', 'file-3'],
    ['a/..', 'file-3'],
    ['\u200B', 'file-3'],
    [undefined, 'file-3']
  ]
  for (const [given, kept] of names) t.equal(cleanFileName(given, 3), kept, JSON.stringify(given))
  const long = cleanFileName(`${'x'.repeat(70_000)}.csv`, 1)
  t.equal(long.length, 255)
  t.equal(cleanFileName(`${'\u{1F4C4}'.repeat(300)}.csv`, 1).isWellFormed(), true, 'no half of a character')
  t.match(cleanFileName(`${'\u{1F4C4}'.repeat(300)}.csv`, 1), /\.csv$/)
  t.end()
})

test('a declared type is a type or nothing', t => {
  t.equal(cleanMediaType('Text/CSV; charset=utf-8'), 'text/csv')
  for (const none of [undefined, '', 'csv', 'text/', 'text/<script>', `text/${'x'.repeat(200)}`]) {
    t.equal(cleanMediaType(none), null, JSON.stringify(none))
  }
  t.end()
})
