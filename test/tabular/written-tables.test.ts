import { test } from 'tap'
import { permit } from '../../src/profiles/permit/permit.ts'
import { knownColumn } from '../../src/profiles/tabular/column-index.ts'
import type { Delimiter, Dialect } from '../../src/tabular/format.ts'
import type { Encoding } from '../../src/tabular/text/encodings.ts'
import { encodeText } from '../../src/tabular/write/encode-text.ts'
import { Random, testSeed } from '../normalize/properties/random.ts'
import { formatOf, splitAll } from './read-all.ts'

const HEADER = ['permit_number', 'parcel_id', 'permit_type', 'address', 'valuation', 'note']
const ROWS = 30

const WORDS = {
  latin: 'Größe Straße geprüft Prüfung Gebäude Öffnung Änderung für Rückbau Dach neu Garten'.split(' '),
  cyrillic: 'Проверка здания ремонт крыши строительство жилого дома замена окон участок гараж'.split(' ')
}

interface Written {
  readonly encoding: Encoding
  readonly mark: boolean
  readonly words: readonly string[]
}

const ENCODINGS: readonly Written[] = [
  { encoding: 'utf-8', mark: false, words: [...WORDS.latin, ...WORDS.cyrillic, '🏠'] },
  { encoding: 'utf-8', mark: true, words: WORDS.cyrillic },
  { encoding: 'utf-16le', mark: true, words: [...WORDS.latin, '🏠'] },
  { encoding: 'utf-16le', mark: false, words: WORDS.latin },
  { encoding: 'utf-16be', mark: false, words: WORDS.latin },
  { encoding: 'utf-32le', mark: true, words: WORDS.cyrillic },
  { encoding: 'utf-32be', mark: false, words: WORDS.latin },
  { encoding: 'windows-1252', mark: false, words: WORDS.latin },
  { encoding: 'windows-1251', mark: false, words: WORDS.cyrillic },
  { encoding: 'koi8-r', mark: false, words: WORDS.cyrillic }
]
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']
const LINE_ENDS = ['\n', '\r\n', '\r'] as const

/** How a writer quotes: every cell, or those that need it. */
interface Quoting extends Pick<Dialect, 'quote' | 'escape'> {
  readonly all: boolean
}
const QUOTINGS: readonly Quoting[] = [
  { quote: '"', escape: 'double', all: false },
  { quote: '"', escape: 'double', all: true },
  { quote: '"', escape: 'backslash', all: true },
  { quote: "'", escape: 'double', all: true }
]

function cellOf(random: Random, words: readonly string[], end: string): string {
  const word = (): string => random.pick(words)
  const kinds = [
    () => '',
    () => random.digits(9),
    () => `00${random.digits(4)}`,
    () => `${word()} ${word()}`,
    () => `${word()}, ${word()}; ${word()}`,
    () => `${word()}|${word()}\t${word()}`,
    () => `${word()}${end}${word()}`,
    () => `${word()} "${word()}" 'x'`,
    () => ` ${word()}  `
  ]
  return random.pick(kinds)()
}

function write(cell: string, { quote, escape, all }: Quoting, delimiter: string): string {
  if (quote === null || (!all && !/["\r\n]/.test(cell) && !cell.includes(delimiter))) return cell
  const inside = escape === 'double' ? cell.replaceAll(quote, quote + quote) : cell.replace(/["\\]/g, '\\$&')
  return quote + inside + quote
}

function combinations(): { written: Written; delimiter: Delimiter; end: string; quoting: Quoting }[] {
  return ENCODINGS.flatMap(written =>
    DELIMITERS.flatMap(delimiter =>
      LINE_ENDS.flatMap(end => QUOTINGS.map(quoting => ({ written, delimiter, end, quoting })))
    )
  )
}

test('a table reads back exactly however it was written', async t => {
  const random = new Random(testSeed())
  const all = combinations()
  for (const { written, delimiter, end, quoting } of all) {
    const { encoding, mark, words } = written
    const table = Array.from({ length: ROWS }, (_, row) => [
      `P-${row}`,
      ...HEADER.slice(1).map(() => cellOf(random, words, end))
    ])
    const lines = [HEADER, ...table].map(row => row.map(cell => write(cell, quoting, delimiter)).join(delimiter) + end)
    const bytes = encodeText((mark ? '\ufeff' : '') + lines.join(''), encoding)
    const format = formatOf(bytes, { knownColumn: name => knownColumn(permit, name) })
    const { rows } = await splitAll(bytes, format, { blockBytes: 100 + random.below(5000) })
    const values = rows.map(row => row.fault?.code ?? row.values)
    const what = JSON.stringify({ seed: random.seed, encoding, mark, delimiter, end, quoting })
    if (format.encoding !== encoding || JSON.stringify(values) !== JSON.stringify(table)) {
      t.equal(format.encoding, encoding, what)
      t.strictSame(values, table, what)
    }
  }
  t.ok(all.length >= 200, `${all.length} combinations, seed ${random.seed}`)
})
