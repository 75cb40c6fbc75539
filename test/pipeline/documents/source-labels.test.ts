import t from 'tap'
import { withTransaction } from '../../../src/db/transaction.ts'
import { saveMapping } from '../../../src/db/work/source-mappings.ts'
import { JURISDICTION, sha } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'

const DOCUMENT = [
  'Policy Declarations',
  'Kontrakt: HX-700131',
  'Named Insured: Pacific Reflections LLC',
  'Policy Period: 07/01/2024 to 07/01/2025',
  'Total Premium: $1,284.00'
].join('\n')

async function send(p: TestPipeline, source: string) {
  const { id } = await p.submit([{ name: 'x.txt', bytes: DOCUMENT, type: 'text/plain' }], { profile: 'policy', source })
  await p.finished(id)
  const [record] = await p.records(id)
  return record
}

t.test(
  'labels and the order of dates that a source has saved are used for its documents, and for no others',
  async t => {
    const p = await testPipeline(t)
    p.work()
    const options = { columns: { Kontrakt: 'policy_number' }, dateOrder: 'mdy' }
    await withTransaction(p.pool, tx =>
      saveMapping(
        tx,
        { jurisdiction: JURISDICTION, profile: 'policy', source: 'keystone' },
        { options, digest: sha(JSON.stringify(options)), savedBy: 'key:clerk' }
      )
    )
    const own = await send(p, 'keystone')
    t.equal(own?.state, 'accepted')
    t.match(own?.content, { policy_number: 'HX-700131', effective_date: '2024-07-01', expiration_date: '2025-07-01' })
    const other = await send(p, 'elsewhere')
    t.equal(other?.state, 'quarantined', 'a label nobody declared, and dates that read two ways')
  }
)
