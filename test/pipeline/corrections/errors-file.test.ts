import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import type { Encoding } from '../../../src/tabular/text/encodings.ts'
import { encodeText } from '../../../src/tabular/write/encode-text.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { errorsOf, fates, send } from './round-trip.ts'

interface Form {
  readonly name: string
  readonly encoding: Encoding
  readonly delimiter: string
  readonly lineEnd: string
  readonly bom: boolean
}

const FORMS: readonly Form[] = [
  { name: 'utf-8 comma lf', encoding: 'utf-8', delimiter: ',', lineEnd: '\n', bom: false },
  { name: 'utf-8 bom comma crlf', encoding: 'utf-8', delimiter: ',', lineEnd: '\r\n', bom: true },
  { name: 'windows-1252 semicolon crlf', encoding: 'windows-1252', delimiter: ';', lineEnd: '\r\n', bom: false },
  { name: 'utf-16le tab crlf', encoding: 'utf-16le', delimiter: '\t', lineEnd: '\r\n', bom: true },
  { name: 'utf-16be pipe lf', encoding: 'utf-16be', delimiter: '|', lineEnd: '\n', bom: true },
  { name: 'utf-32le comma lf', encoding: 'utf-32le', delimiter: ',', lineEnd: '\n', bom: true }
]

const COLUMNS = ['permit_number', 'parcel_id', 'permit_type', 'issued_date', 'valuation', 'description', 'Zustand']

/** Cells that must come back as they were: what spreadsheets run, what readers trim, and every mark of a dialect. */
const TRICKY = [
  '=HYPERLINK("http://x")',
  '+1 555 0100',
  '-2+3',
  '@SUM(A1)',
  '\tindented',
  "'=quoted",
  "''=twice",
  "'plain",
  'two\nlines',
  'a "word" here',
  'a,b;c|d',
  ' spaces ',
  'Café Müller — 5 €',
  '-12.50'
]

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

function fileOf(form: Form, rows: readonly (readonly string[])[]): Buffer {
  const lines = [COLUMNS, ...rows].map(cells => cells.map(quoted).join(form.delimiter) + form.lineEnd)
  return encodeText(`${form.bom ? '\ufeff' : ''}${lines.join('')}`, form.encoding)
}

const row = (number: string, date: string, text: string): string[] => [
  number,
  '0012-34',
  'roof',
  date,
  '10.00',
  text,
  'geprüft'
]

const decoded = (form: Form, bytes: Buffer): string =>
  form.encoding.startsWith('utf-32')
    ? Array.from({ length: bytes.length / 4 }, (_, i) => String.fromCodePoint(bytes.readUInt32LE(i * 4))).join('')
    : new TextDecoder(form.encoding, { ignoreBOM: true }).decode(bytes)

async function sourceTexts(p: TestPipeline, batchId: string): Promise<unknown[]> {
  const { rows } = await p.pool.query(
    `select coalesce(r.content, c.content) ->> 'work_description' as text, coalesce(r.content, c.content) -> 'extra' as extra
     from record r left join canonical_record c using (jurisdiction, profile, natural_key, version)
     where r.batch_id = $1 order by r.item`,
    [batchId]
  )
  return rows
}

for (const form of FORMS) {
  t.test(`an errors file is written as its source is and settles what it names: ${form.name}`, async t => {
    const p = await testPipeline(t)
    p.work()
    const rows = TRICKY.map((text, i) => row(`P-${i}`, '2024-02-30', text))
    const first = await send(p, { name: 'a.csv', bytes: fileOf(form, [row('OK', '2024-02-01', 'x'), ...rows]) })
    const before = await fates(p, first)
    t.equal(before.filter(({ state }) => state === 'quarantined').length, TRICKY.length)

    const errors = await errorsOf(p, first)
    const text = decoded(form, errors)
    t.equal(text.startsWith('\ufeff'), form.bom)
    t.ok(
      text.includes(
        `${form.delimiter}_record_id${form.delimiter}_line${form.delimiter}_codes${form.delimiter}_messages${form.lineEnd}`
      )
    )
    const cells = text.split(form.delimiter).flatMap(cell => cell.split(form.lineEnd))
    t.notOk(
      cells.some(cell => /^"?[=+@\t]|^"?-[^\d]|^"?-\d+[+]/.test(cell)),
      'no cell begins like a formula'
    )

    // Left alone: every row follows the record it names, under the same content.
    const same = await send(p, { name: 'b.csv', bytes: errors })
    t.strictSame(
      (await fates(p, same)).map(({ state, duplicate_of }) => [state, duplicate_of]),
      before.slice(1).map(({ id }) => ['quarantined', id])
    )

    const mended = encodeText(text.replaceAll('2024-02-30', '2024-02-29'), form.encoding)
    const second = await send(p, { name: 'c.csv', bytes: mended })
    const after = await fates(p, second)
    t.strictSame(
      after.map(({ state }) => state),
      TRICKY.map(() => 'accepted')
    )
    t.strictSame(
      (await fates(p, first)).slice(1).map(({ state, codes, replaced_by }) => [state, codes[0], replaced_by]),
      after.map(({ id }) => ['rejected', 'CORRECTED', id])
    )
    t.strictSame(
      await sourceTexts(p, second),
      TRICKY.map(text => ({ text: text.trim().replace(/\s+/g, ' '), extra: { Zustand: 'geprüft' } }))
    )
    const { rows: open } = await p.pool.query(`select 1 from record where state = 'quarantined'`)
    t.equal(open.length, 0, 'those that followed ended with it')
    t.strictSame((await verify({ pool: p.pool })).offenders, [])
  })
}
