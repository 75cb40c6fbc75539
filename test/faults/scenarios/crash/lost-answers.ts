import { startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, type Scenario } from '../scenario.ts'

/** C-3. */
export const lostAnswers: Scenario = {
  id: 'C-3',
  title: 'the answer to a COMMIT is lost: the server has it, the line is cut',
  short: { cuts: 20 },
  full: { cuts: 500 },
  async run(context) {
    const { world, chance, size } = context
    const { cuts: wanted = 0 } = size
    const system = await startSystem(world, { proxies: ['api', 'worker'] })
    const history = new History()
    const cuts = { api: 0, worker: 0 }
    try {
      for (let at = 0; at < wanted; at += 1) {
        const side = at % 2 === 0 ? 'api' : 'worker'
        const proxy = system.proxies[side]
        const before = cuts[side]
        proxy?.cutNextCommit(() => {
          cuts[side] += 1
        })
        const options = { name: 'client', address: system.address, history, chance, tries: 20 }
        await submit(options, `${chance.seed}-${at}`, permits(chance, `${chance.seed}N${at}`, 3))
        // The sealer and the services commit as well, so that this never waits for long.
        await waitFor('a commit to lose', 30, async () => cuts[side] > before)
      }
      const verdict = await finish(context, system, history)
      const resolved = history.of('ok').filter(({ batchIds }) => batchIds.size === 1).length
      const expect = expecting()
      expect.is(cuts.api > 0 && cuts.worker > 0, 'answers were lost on both sides')
      expect.is(resolved === wanted, 'every submission has one batch')
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: { 'lost answers': cuts.api + cuts.worker, ...cuts, resolved: `${resolved}/${wanted}` },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
