import t from 'tap'
import { fullestOf } from '../../../src/api/submission/disk-marks.ts'
import { loadConfig } from '../../../src/config.ts'
import { json, testApi } from '../../helpers/app.ts'
import { formOf } from '../bodies.ts'

t.test('admission stops at the high mark and goes on below the low one', async t => {
  let used = 0.94
  const api = await testApi(t, { diskUsed: async () => used })
  let sent = 0
  const at = async (share: number): Promise<number> => {
    used = share
    api.advance(2001)
    const form = formOf({ 'a.csv': `permit_number,parcel_id\nP-${(sent += 1)},1\n` })
    const response = await api.fetch('/v1/batches', { method: 'POST', body: form })
    if (response.status === 503) {
      t.equal((await json(response)).code, 'STORE_FULL')
      t.ok(Number(response.headers.get('retry-after')) > 0)
    }
    return response.status
  }
  const way = [0.94, 0.95, 0.94, 0.86, 0.85, 0.84, 0.94, 0.99, 0.84]
  const answers: number[] = []
  for (const share of way) answers.push(await at(share))
  t.strictSame(answers, [202, 503, 503, 503, 503, 202, 202, 503, 202], 'what lies between keeps what was')
  const told = api.lines.filter(line => line.includes('nearly full: no submissions'))
  t.equal(told.length, 2, 'each stop is told once')
  used = 0.96
  api.advance(2001)
  t.equal((await api.fetch('/v1/batches')).status, 200, 'everything else is answered')
  const metrics = await (await api.fetch('/metrics')).text()
  t.match(metrics, /docket_admission_stopped 1\n/)
  t.match(metrics, /docket_disk_used_ratio 0\.96\n/)
})

t.test('the disk of a folder is asked; one that is not there does not count', async t => {
  const used = await fullestOf(['/', '/not/there'])
  t.ok(used > 0 && used < 1, String(used))
  t.equal(await fullestOf(['/not/there']), 0)
})

t.test('marks that lie the wrong way are refused at the start', async t => {
  t.throws(() => loadConfig({ DOCKET_DISK_HIGH: '80', DOCKET_DISK_LOW: '80' }), { code: 'CONFIG_INVALID' })
  t.strictSame(loadConfig({}).disk, { high: 0.95, low: 0.85 })
})
