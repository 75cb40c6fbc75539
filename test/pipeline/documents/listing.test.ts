import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { HEAD, permitRow, report } from '../../profiles/listing/report.ts'

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

t.test('a listing sent as PDF ends as one record a row, each with its own number and key', async t => {
  const p = await testPipeline(t)
  const rows = [permitOf(0, '21,950.00'), permitOf(1, 'unknown'), permitOf(2, '9,000.00')]
  const bytes = await report([[['PERMITS ISSUED IN JUNE 2024', 260]], HEAD, ...rows])
  const file = { name: 'june.pdf', bytes, type: 'application/pdf' }
  const { id } = await p.submit([file], { profile: 'permit' })
  p.work()
  await p.finished(id)
  const shown = ({ item, state, codes, content }: Awaited<ReturnType<typeof p.records>>[number]): unknown[] => [
    item,
    state,
    codes.filter(code => code !== 'UNMAPPED_ENUM'),
    content?.['submission_id']
  ]
  t.strictSame((await p.records(id)).map(shown), [
    [1, 'accepted', [], '24-0300'],
    [2, 'quarantined', ['INVALID_NUMBER'], '24-0301'],
    [3, 'accepted', [], '24-0302']
  ])

  const again = await p.submit([file], { profile: 'permit', force: true })
  await p.finished(again.id)
  const duplicates = (await p.records(again.id)).map(record => record.duplicate_of !== null)
  t.strictSame(duplicates, [true, true, true], 'the same rows sent again are known')
  t.strictSame((await verify({ pool: p.pool, store: p.deps.store, payloads: true })).offenders, [])
})
