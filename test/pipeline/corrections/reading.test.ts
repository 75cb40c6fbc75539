import t from 'tap'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { errorsOf, send } from './round-trip.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation\n'
const FILE = `${HEADER}RD-1,22-1,roof,03/25/2024,100.50\nRD-2,22-2,roof,03/04/2024,?\nRD-3,22-3,roof,05/06/2024,?\n`

/** Sends the errors file back with its rows changed, and answers what they were read as. */
async function sentBack(p: TestPipeline, change: (errors: string) => string): Promise<unknown[]> {
  const first = await send(p, { name: 'p.csv', bytes: FILE, type: 'text/csv' })
  const back = await send(p, {
    name: 'errors.csv',
    bytes: change((await errorsOf(p, first)).toString()),
    type: 'text/csv'
  })
  return (await p.records(back)).map(({ state, codes, content }) => [
    state,
    ...codes,
    ...(state === 'accepted' ? [content?.['issued_date'], content?.['project_valuation']] : [])
  ])
}

t.test('what the first file proved holds for the rows that came back', async t => {
  const p = await testPipeline(t)
  p.work()
  t.strictSame(await sentBack(p, errors => errors.replaceAll(',?,', ',200.00,')), [
    ['accepted', '2024-03-04', '200.00'],
    ['accepted', '2024-05-06', '200.00']
  ])
})

t.test('but not where what came back proves the opposite', async t => {
  const p = await testPipeline(t)
  p.work()
  const days = (errors: string): string => errors.replaceAll(',?,', ',200.00,').replace('05/06/2024', '25/06/2024')
  t.strictSame(await sentBack(p, days), [
    ['quarantined', 'AMBIGUOUS_DATE'],
    ['accepted', '2024-06-25', '200.00']
  ])
})

t.test('nor for amounts that a spreadsheet of another country wrote', async t => {
  const p = await testPipeline(t)
  p.work()
  let count = 0
  const amounts = (errors: string): string =>
    errors.replaceAll(',?,', () => (count++ === 0 ? ',"250,50",' : ',"12.500",'))
  t.strictSame(await sentBack(p, amounts), [
    ['accepted', '2024-03-04', '250.50'],
    ['quarantined', 'AMBIGUOUS_NUMBER']
  ])
})
