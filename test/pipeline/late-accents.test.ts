import { test } from 'tap'
import { testPipeline } from '../helpers/pipeline.ts'

const HEADER = 'permit_number,parcel_id,permit_type,valuation,applicant_name\n'
/** More than the beginning that a format is decided on, all of it ASCII. */
const ASCII = Array.from({ length: 30_000 }, (_, i) => `LA-${i},22-${i},Roof,100.00,Ida Novak of the old mill\n`).join(
  ''
)
const NAMES = ['Jürgen Müller', 'Zoë Brontë', 'José Nuñez', 'Françoise Lefèvre', 'Bjørn Sørensen', 'Señora Peña']
const TAIL = NAMES.map((name, i) => `LB-${i},23-${i},Roof,100.00,${name}\n`).join('')

const FILES: readonly (readonly [string, Buffer, string])[] = [
  ['latin1', Buffer.from(HEADER + ASCII + TAIL, 'latin1'), 'windows-1252'],
  ['utf8', Buffer.from(HEADER + ASCII + TAIL, 'utf8'), 'utf-8']
]

for (const [name, bytes, encoding] of FILES) {
  test(`accents behind the first megabyte decide the encoding of a ${name} file`, async t => {
    t.ok(bytes.length > 1_100_000)
    const p = await testPipeline(t)
    p.work()
    const { id } = await p.submit([{ name: 'l.csv', bytes, type: 'text/csv' }])
    await p.finished(id)
    const { rows: formats } = await p.pool.query('select format from file where batch_id = $1', [id])
    t.match(formats, [{ format: { tabular: { encoding } } }])
    const { rows } = await p.pool.query(
      `select content ->> 'applicant_name' as name from canonical_record where batch_id = $1 and item > 30000 order by item`,
      [id]
    )
    t.strictSame(
      rows.map(row => row.name),
      NAMES
    )
  })
}

test('one bad byte behind the first megabyte of a UTF-8 file holds its row alone', async t => {
  const p = await testPipeline(t)
  p.work()
  const bad = Buffer.concat([Buffer.from('LC-1,24-1,Roof,100.00,J'), Buffer.from([0xfc]), Buffer.from('rgen\n')])
  const bytes = Buffer.concat([Buffer.from(HEADER + ASCII + TAIL), bad, Buffer.from('LC-2,24-2,Roof,100.00,Jürgen\n')])
  const { id } = await p.submit([{ name: 'l.csv', bytes, type: 'text/csv' }])
  await p.finished(id)
  const { rows } = await p.pool.query(
    `select item, line, reasons -> 0 ->> 'code' as code from record where batch_id = $1 and state = 'quarantined'`,
    [id]
  )
  t.strictSame(rows, [{ item: 30_007, line: 30_008, code: 'ENCODING_INVALID' }])
})
