import { test } from 'tap'
import { json, testApi } from '../../../helpers/app.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const CSV = [
  'Bericht vom Mai',
  'permit_number;parcel_id;permit_type;issued_date;valuation;Notiz',
  'A;22-1;roof;13.05.2024;1.200,50;Größe geprüft',
  'B;22-1;roof;03.04.2024;1.234;Straße geändert',
  ''
].join('\r\n')

test('a batch tells how each file is read and what that rests on', async t => {
  const p = await testPipeline(t)
  const api = await testApi(t, { on: p })
  p.work()
  const { id } = await p.submit([
    { name: 'a.csv', bytes: Buffer.from(CSV, 'latin1') },
    { name: 'b.ndjson', bytes: '{"permit_number":"C"}\n' },
    { name: 'c.csv', bytes: 'x,y\n1,2\n' }
  ])
  await p.finished(id)
  const { files } = await json(await api.fetch(`/v1/batches/${id}`))
  t.match(files, [
    {
      format: {
        kind: 'delimited',
        encoding: 'windows-1252',
        delimiter: ';',
        quote: '"',
        escape: 'double',
        header_line: 2,
        data_line: 3,
        evidence: { encoding: /^words /, sampled_rows: 4, lines_above_header: 1 },
        proofs: [
          { column: 'issued_date', date_order: 'dmy', decimal: null },
          { column: 'valuation', date_order: null, decimal: ',' }
        ]
      }
    },
    { format: { kind: 'json', encoding: 'utf-8', delimiter: null, header_line: null, data_line: 1, proofs: [] } },
    { format: null }
  ])
})
