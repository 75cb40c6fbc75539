import { test } from 'tap'
import { json, testApi } from '../../helpers/app.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

const HEADER = 'permit_number,parcel_id,permit_type,valuation,applicant_name\n'
/** `Kučera` in windows-1250 and `Kuèera` in windows-1252: only a declaration tells. */
const CSV = Buffer.from(`${HEADER}A,22-1,roof,100.00,Jan Ku\xe8era\n`, 'latin1')
/** Too large to be split on arrival. */
const LARGE = Buffer.from(HEADER + `B,22-1,roof,100.00,Jan Ku\xe8era\n`.repeat(9000), 'latin1')

const SENT: readonly (readonly [string, Buffer, string, string, string])[] = [
  ['nothing', CSV, '', 'text/csv', 'ascii undecided'],
  ['the charset of the content type', CSV, '', 'text/csv; charset="Windows-1250"', 'windows-1250 declared'],
  ['a charset that is not read', CSV, '', 'text/csv; charset=ebcdic', 'ascii undecided'],
  ['the field', CSV, '&encoding=cp1250', 'text/csv', 'windows-1250 declared'],
  ['the field before the charset', CSV, '&encoding=latin1', 'text/csv; charset=cp1250', 'windows-1252 declared'],
  ['the charset, of a large file', LARGE, '', 'text/csv;charset=windows-1250', 'windows-1250 declared']
]

test('an encoding that is declared goes before what the bytes tell', async t => {
  const p = await testPipeline(t)
  const api = await testApi(t, { on: p })
  p.work()
  const ids = new Set<unknown>()
  for (const [what, body, field, type, expected] of SENT) {
    const accepted = await api.fetch(`/v1/batches?profile=permit&jurisdiction=53033${field}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body
    })
    t.equal(accepted.status, 202, what)
    const { id } = await json(accepted)
    await p.finished(id)
    const { files } = await json(await api.fetch(`/v1/batches/${id}`))
    const [encoding, evidence] = expected.split(' ')
    t.match(files, [{ format: { encoding, evidence: { encoding: evidence } } }], what)
    ids.add(id)
  }
  t.equal(ids.size, 4, 'another declaration makes another batch of the same bytes')
})

test('an encoding that is not read is refused when it is asked for', async t => {
  const api = await testApi(t)
  const refused = await api.fetch('/v1/batches?profile=permit&jurisdiction=53033&encoding=ebcdic', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: CSV
  })
  t.equal(refused.status, 422)
  t.match(await json(refused), { code: 'FIELD_INVALID' })
})
