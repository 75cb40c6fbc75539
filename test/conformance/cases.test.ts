import t from 'tap'
import { readCases, runCase } from './case-files.ts'
import { testDeployment } from './deployment.ts'
import { judge } from './judge.ts'

const AT_ONCE = 4

t.test('every case ends as it must', async t => {
  const deployment = await testDeployment(t)
  const cases = (await readCases()).filter(one => one.manual !== true)
  t.ok(cases.length > 40, `${cases.length} cases`)
  const waiting = [...cases]
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const outcome = await runCase(deployment, one)
      t.strictSame(judge(one.expect, outcome), [], one.id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
})
