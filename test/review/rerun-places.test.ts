import t from 'tap'
import { verify } from '../../src/audit/verify/verify.ts'
import { sweepCorrections } from '../../src/pipeline/corrections/settle-corrections.ts'
import type { DocumentReader } from '../../src/pipeline/documents/document-reader.ts'
import type { Candidate } from '../../src/profiles/candidate.ts'
import { retryBatch, retryRecord } from '../../src/review/retry.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'
import { fates, send } from '../pipeline/corrections/round-trip.ts'
import { HEAD, permitRow, report } from '../profiles/listing/report.ts'

const permitOf = (at: number, cost: string) =>
  permitRow({
    number: `24-0${300 + at}`,
    name: 'Quarry Road Dental',
    address: `${at + 1} North Avenue`,
    type: 'Comm-Alteration',
    parcel: `0412-11${at}`,
    cost,
    fee: '300.00'
  })

const allRun = (p: TestPipeline): Promise<void> =>
  until(async () => (await p.pool.query('select 1 from record where retry_requested')).rowCount === 0)

/** A reader that finds other records in a listing, as one of an earlier version may. */
function reading(
  reader: DocumentReader,
  otherwise: (found: readonly Candidate[]) => readonly Candidate[]
): DocumentReader {
  return {
    version: reader.version,
    read: async (chunk, context, signal) => {
      const found = await reader.read(chunk, context, signal)
      return found.ok ? { ...found, candidates: otherwise(found.candidates) } : found
    },
    close: () => reader.close()
  }
}

const ROWS = [permitOf(0, '21,950.00'), permitOf(1, '7,000.00'), permitOf(2, 'unknown'), permitOf(3, '9,000.00')]
const OTHERWISE: Readonly<Record<string, (found: readonly Candidate[]) => readonly Candidate[]>> = {
  'one less': found => found.slice(1),
  'in another order': found => [...found.slice(1), ...found.slice(0, 1)]
}

for (const [name, otherwise] of Object.entries(OTHERWISE)) {
  t.test(`no record of a listing takes the place of another when it runs again: ${name} before`, async t => {
    const p = await testPipeline(t)
    const { documents } = p.deps
    Object.assign(p.deps, { documents: reading(documents, otherwise) })
    const bytes = await report([[['PERMITS ISSUED IN JUNE 2024', 260]], HEAD, ...ROWS])
    const { id } = await p.submit([{ name: 'june.pdf', bytes, type: 'application/pdf' }], { profile: 'permit' })
    p.work()
    await p.finished(id)
    const before = await p.records(id)
    t.match(before, [{ state: 'accepted' }, { state: 'quarantined', codes: ['INVALID_NUMBER'] }, { state: 'accepted' }])
    const work = { jurisdiction: JURISDICTION, batchId: id, actor: 'key:clerk', codes: ['INVALID_NUMBER'] as const }

    Object.assign(p.deps, { documents })
    t.strictSame(await retryBatch(p.deps, work), { retried: 1 })
    await allRun(p)
    t.strictSame(await p.records(id), before, 'another reader')

    Object.assign(p.deps, { documents: reading(documents, otherwise) })
    t.strictSame(await retryBatch(p.deps, work), { retried: 1 })
    await allRun(p)
    const { rows } = await p.pool.query('select revision from record where batch_id = $1 order by item', [id])
    t.match(rows, [{ revision: 1 }, { revision: 2 }, { revision: 1 }], 'the same reader')
    t.strictSame((await verify({ pool: p.pool })).offenders, [])
  })
}

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'

t.test('a refused row that another run accepts has the key of its content', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, { name: 'a.csv', bytes: `${HEADER}\nA,22-1,roof,2024-02-30,1.00\n` })
  const held = (await fates(p, first))[0]?.id ?? ''
  // Another batch spoke for it, and was cancelled before its rows were committed.
  await p.pool.query(
    `insert into correction (jurisdiction, record_id, batch_id, file_number, item) values ($1, $2, $3, 1, 99)`,
    [JURISDICTION, held, first]
  )
  const sent = `${HEADER},_record_id\nA,22-1,roof,2024-02-29,1.00,${held}\n`
  const second = await send(p, { name: 'b.csv', bytes: sent })
  const [refused] = await fates(p, second)
  t.match(refused, { state: 'quarantined', codes: ['CORRECTION_SETTLED'] })
  await p.pool.query('delete from correction')
  await retryRecord(p.deps, {
    jurisdiction: JURISDICTION,
    recordId: refused?.id ?? '',
    revision: 1,
    actor: 'key:clerk'
  })
  await allRun(p)
  await sweepCorrections(p.deps)
  t.match(await fates(p, second), [{ state: 'accepted' }])
  const again = await send(p, { name: 'c.csv', bytes: `${HEADER}\nA,22-1,roof,2024-02-29,1.00\n` })
  t.match(await fates(p, again), [{ state: 'accepted', duplicate_of: refused?.id }])
  t.equal((await p.pool.query('select 1 from canonical_record')).rowCount, 1, 'one version')
  t.strictSame((await verify({ pool: p.pool })).offenders, [])
})
