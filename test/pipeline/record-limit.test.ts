import t from 'tap'
import { testPipeline } from '../helpers/pipeline.ts'

const LIMIT = 2000
const LONG = 'x'.repeat(3 * LIMIT)
const HEAD = 'permit_number,parcel_id,permit_type,valuation,work_description'
const member = (n: number, text: string): string =>
  JSON.stringify({
    permit_number: `RL-${n}`,
    parcel_id: `22-${n}`,
    permit_type: 'roof',
    valuation: '1.00',
    work_description: text
  })

/** The same three records, the second of them too long, in every form that a data file has. */
const FORMS: Readonly<Record<string, { readonly type: string; readonly bytes: string }>> = {
  delimited: {
    type: 'text/csv',
    bytes: `${HEAD}\n${['a', LONG, 'b'].map((text, n) => `RL-${n},22-${n},roof,1.00,${text}`).join('\n')}\n`
  },
  lines: { type: 'application/x-ndjson', bytes: `${['a', LONG, 'b'].map((text, n) => member(n, text)).join('\n')}\n` },
  array: { type: 'application/json', bytes: `[${['a', LONG, 'b'].map((text, n) => member(n, text)).join(',\n')}]` }
}

const shapeOf = (records: readonly { state: string; codes: string[] }[]) =>
  records.map(({ state, codes }) => [state, ...codes.filter(code => code === 'RECORD_TOO_LARGE')])

const HELD = [['accepted'], ['quarantined', 'RECORD_TOO_LARGE'], ['accepted']]
const TAKEN = [['accepted'], ['accepted'], ['accepted']]

t.test('a record longer than DOCKET_MAX_RECORD is held alone, in every form', async t => {
  const p = await testPipeline(t, { DOCKET_MAX_RECORD: String(LIMIT) })
  p.work()
  for (const [form, file] of Object.entries(FORMS)) {
    const { id } = await p.submit([{ name: `${form}.txt`, ...file }])
    await p.finished(id)
    t.same(shapeOf(await p.records(id)), HELD, form)
  }
})

t.test('a higher limit takes what the default holds', async t => {
  for (const [limit, expected] of [
    ['1000000', HELD],
    ['3000000', TAKEN]
  ] as const) {
    const p = await testPipeline(t, { DOCKET_MAX_RECORD: limit })
    p.work()
    // Spread over members that may be so long together.
    const filler = Array.from({ length: 450 }, (_, i) => [`note_${i}`, 'y'.repeat(1000)])
    const big = JSON.stringify({ ...JSON.parse(member(1, 'b')), ...Object.fromEntries(filler) })
    const wide = big.replace(/}$/, `,"more":"${'z'.repeat(700_000)}"}`)
    const bytes = `${member(0, 'a')}\n${wide}\n${member(2, 'c')}\n`
    const { id } = await p.submit([{ name: 'big.ndjson', type: 'application/x-ndjson', bytes }])
    await p.finished(id)
    t.same(
      shapeOf(await p.records(id)).map(row => row.slice(1)),
      expected.map(row => row.slice(1)),
      limit
    )
  }
})

t.test('what a file was split under holds for its chunks, whatever their worker is configured to', async t => {
  const p = await testPipeline(t, { DOCKET_MAX_RECORD: String(LIMIT) })
  const { id } = await p.submit([{ name: 'lines.txt', ...FORMS['lines'], bytes: FORMS['lines']?.bytes ?? '' }])
  Object.assign(p.deps, { chunk: { ...p.config.chunk, recordBytes: 50_000 } })
  p.work()
  await p.finished(id)
  t.same(shapeOf(await p.records(id)), HELD)
})
