import { ALL_POINTS, runPoints } from '../../points/run-points.ts'
import { expecting, type Scenario } from '../scenario.ts'

/** C-2. */
export const crashPoints: Scenario = {
  id: 'C-2',
  title: 'a process dies at each named point between two effects',
  short: { points: 10, repeats: 1 },
  full: { points: ALL_POINTS.length, repeats: 20 },
  async run({ world, chance, size }) {
    const { points = 0, repeats = 1 } = size
    // A short run takes others each time, by its seed.
    const first = chance.below(ALL_POINTS.length)
    const chosen = Array.from({ length: points }, (_, i) => ALL_POINTS[(first + i * 7) % ALL_POINTS.length])
    const runs = Array.from({ length: repeats }, (_, repeat) =>
      (points >= ALL_POINTS.length ? [...ALL_POINTS] : chosen).flatMap(point =>
        point === undefined ? [] : [{ point, pass: repeat === 0 ? 1 : chance.between(1, 2) }]
      )
    ).flat()
    const { reached, missed, verdict } = await runPoints(world, chance, runs)
    const expect = expecting()
    expect.is(missed.length === 0, `never reached: ${missed.join(', ')}`)
    expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for crashes that were not theirs`)
    return {
      figures: { points: new Set(runs.map(({ point }) => point)).size, deaths: reached.length, of: runs.length },
      verdict,
      faults: expect.faults
    }
  }
}
