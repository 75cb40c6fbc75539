import { LANE_PRIORITY, LANES, type Lane } from '../model/states.ts'

/** Work that is not to be fetched: of a jurisdiction, of a lane, or of a lane of a jurisdiction; null: of all. */
export interface Hold {
  readonly jurisdiction: string | null
  readonly lane: Lane | null
}

export interface PriorityRange {
  readonly minPriority?: number
  readonly maxPriority?: number
}

/** What one fetch may take. */
export interface Window extends PriorityRange {
  readonly ignored: readonly string[]
}

/** A job that waits for long rises by a lane and one more, so that the last digit tells how often it rose. */
export const RISE = LANE_PRIORITY.standard + 1

/** The lane a job was sent in, whatever it has risen to. `priority`: the SQL of its priority. */
export const sentLaneSql = (priority: string): string =>
  `case (${priority}) - ${RISE} * ((${priority}) % 10) ${LANES.map(lane => `when ${LANE_PRIORITY[lane]} then '${lane}'`).join(' ')} end`

/** Every priority a job can have, the highest first, with the lane it was sent in: below critical it rises. */
const PRIORITIES = LANES.flatMap(lane => {
  const own: { priority: number; lane: Lane }[] = []
  let priority: number = LANE_PRIORITY[lane]
  own.push({ priority, lane })
  while (priority < LANE_PRIORITY.critical) own.push({ priority: (priority += RISE), lane })
  return own
}).toSorted((a, b) => b.priority - a.priority)

/** The jurisdictions that are held back in a lane; undefined when all are. */
function ignoredIn(holds: readonly Hold[], lane: Lane): readonly string[] | undefined {
  const ofLane = holds.filter(hold => hold.lane === null || hold.lane === lane)
  const names = ofLane.flatMap(hold => hold.jurisdiction ?? [])
  return names.length < ofLane.length ? undefined : [...new Set(names)].toSorted()
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join()

function within(window: Window, slot: PriorityRange): Window | undefined {
  const min = Math.max(window.minPriority ?? -Infinity, slot.minPriority ?? -Infinity)
  const max = Math.min(window.maxPriority ?? Infinity, slot.maxPriority ?? Infinity)
  if (min > max) return undefined
  const { ignored } = window
  return {
    ignored,
    ...(min > -Infinity ? { minPriority: min } : {}),
    ...(max < Infinity ? { maxPriority: max } : {})
  }
}

/**
 * The fetches by which a slot takes everything that is not held back, the most urgent first: one as long as no lane is
 * held back on its own, whose jobs stand between those of others when they have risen.
 */
export function windowsOf(holds: readonly Hold[], slot: PriorityRange): readonly Window[] {
  const windows: { minPriority: number; maxPriority: number; ignored: readonly string[] }[] = []
  let open: (typeof windows)[number] | undefined
  for (const { priority, lane } of PRIORITIES) {
    const ignored = ignoredIn(holds, lane)
    if (ignored && open && isSame(open.ignored, ignored)) open.minPriority = priority
    else if (ignored) windows.push((open = { minPriority: priority, maxPriority: priority, ignored }))
    else open = undefined
  }
  const everything = windows.length === 1 && windows[0]?.minPriority === PRIORITIES.at(-1)?.priority
  if (everything && windows[0]?.maxPriority === PRIORITIES[0]?.priority) {
    return [{ ...slot, ignored: windows[0]?.ignored ?? [] }]
  }
  return windows.flatMap(window => within(window, slot) ?? [])
}
