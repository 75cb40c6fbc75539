import t from 'tap'
import { LANES, type Lane } from '../../src/model/states.ts'
import { type Hold, type PriorityRange, type Window, windowsOf } from '../../src/queue/holds.ts'
import { slotPriorities } from '../../src/queue/slots.ts'

/** Every priority there can be, with the lane it was sent in: 0 and 10 rise by 11 until they are critical. */
const SENT: readonly (readonly [number, Lane])[] = [
  [0, 'maintenance'],
  [11, 'maintenance'],
  [22, 'maintenance'],
  [10, 'standard'],
  [21, 'standard'],
  [20, 'critical']
]
const TOWNS = ['53033', '53061', 'elsewhere']

const isIn = (priority: number, { minPriority = -Infinity, maxPriority = Infinity }: PriorityRange): boolean =>
  priority >= minPriority && priority <= maxPriority

const isHeld = (holds: readonly Hold[], lane: Lane, town: string): boolean =>
  holds.some(hold => (hold.lane ?? lane) === lane && (hold.jurisdiction ?? town) === town)

const takes = (windows: readonly Window[], priority: number, town: string): boolean =>
  windows.some(window => isIn(priority, window) && !window.ignored.includes(town))

/** Jobs that a slot would take and must not, or would not and must. */
function faults(holds: readonly Hold[], slot: PriorityRange, windows = windowsOf(holds, slot)): string[] {
  return SENT.flatMap(([priority, lane]) =>
    TOWNS.flatMap(town => {
      const wanted = isIn(priority, slot) && !isHeld(holds, lane, town)
      return takes(windows, priority, town) === wanted ? [] : [`${priority} of ${town}`]
    })
  )
}

/** Every set of at most three holds over two jurisdictions and all lanes. */
function everySet(): Hold[][] {
  const one: Hold[] = [null, '53033', '53061'].flatMap(jurisdiction =>
    [null, ...LANES].flatMap(lane => (jurisdiction === null && lane === null ? [] : [{ jurisdiction, lane }]))
  )
  const sets: Hold[][] = [[]]
  for (const [i, a] of one.entries()) {
    sets.push([a])
    for (const [j, b] of one.slice(i + 1).entries()) {
      sets.push([a, b])
      for (const c of one.slice(i + j + 2)) sets.push([a, b, c])
    }
  }
  return sets
}

t.test('a slot takes everything that is not held back, and nothing else, whatever a job has risen to', async t => {
  const sets = everySet()
  t.ok(sets.length > 200, `${sets.length} sets`)
  for (const slots of [1, 4])
    for (let slot = 0; slot < Math.min(slots, 3); slot++) {
      const range = slotPriorities(slot, slots)
      t.strictSame(
        sets.flatMap(set => faults(set, range)),
        [],
        `slot ${slot} of ${slots}`
      )
    }
  const [hold] = [{ jurisdiction: '53033', lane: null }]
  t.strictSame(faults([hold], {}, [{ ignored: [] }]).length, 6, 'and one that fetches regardless is found')
})

t.test('one fetch as long as no lane is held back, with the very limits of the slot', async t => {
  t.strictSame(windowsOf([], {}), [{ ignored: [] }])
  t.strictSame(windowsOf([{ jurisdiction: '53033', lane: null }], { minPriority: 20 }), [
    { minPriority: 20, ignored: ['53033'] }
  ])
  t.strictSame(
    windowsOf(
      LANES.map(lane => ({ jurisdiction: null, lane })),
      {}
    ),
    [],
    'none when every lane is'
  )
})

t.test('the most urgent is fetched first', async t => {
  const disordered = everySet().filter(set => {
    const tops = windowsOf(set, {}).map(window => window.maxPriority ?? 99)
    return tops.some((top, i) => top >= (tops[i - 1] ?? 100))
  })
  t.strictSame(disordered, [])
})
