import type { Transition } from '../../model/states.ts'
import type { StageMs } from '../commit/judged-record.ts'

export interface Stopwatch {
  /** Ends a stage; with a transition, that is when the records made it. */
  end(stage: string, transition?: Transition): void
  result(): { stageMs: StageMs; stageEnds: readonly (readonly [Transition, number])[] }
}

/** Measures stages one after another on a monotonic clock, in milliseconds. */
export function createStopwatch(now: () => number): Stopwatch {
  const stageMs: Record<string, number> = {}
  const stageEnds: (readonly [Transition, number])[] = []
  let last = now()
  return {
    end(stage, transition) {
      const at = now()
      stageMs[stage] = Math.round((at - last) * 1000) / 1000
      last = at
      if (transition) stageEnds.push([transition, at])
    },
    result: () => ({ stageMs, stageEnds })
  }
}
