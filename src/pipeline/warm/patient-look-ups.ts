import type { Answers, AnswersByKind, Ask, LookUps } from '../../registries/look-ups.ts'
import type { LookUp, RegistryKind } from '../../registries/registry.ts'

/** What became of the keys of one registry. */
export interface KeyCounts {
  /** Keys that were looked up, each once a chunk. */
  readonly keys: number
  /** Answered from what is kept. */
  readonly kept: number
  /** Answered by the registry. */
  readonly asked: number
  readonly unanswered: number
}

export const NO_KEYS: KeyCounts = { keys: 0, kept: 0, asked: 0, unanswered: 0 }

/** Told what came of the keys of a kind. */
export type Tally = (kind: RegistryKind, counts: KeyCounts) => void

export const addCounts = (a: KeyCounts, b: KeyCounts): KeyCounts => ({
  keys: a.keys + b.keys,
  kept: a.kept + b.kept,
  asked: a.asked + b.asked,
  unanswered: a.unanswered + b.unanswered
})

function countsOf(answers: Answers): KeyCounts {
  let [kept, unanswered] = [0, 0]
  for (const answer of answers.values()) {
    if (answer.kind === 'unavailable') unanswered += 1
    else if (answer.provenance.fromCache) kept += 1
  }
  return { keys: answers.size, kept, asked: answers.size - kept - unanswered, unanswered }
}

/** No fault of the registry's: a set of keys has the time that a chunk has, and these came late in it. */
const isLate = (answer: LookUp): boolean =>
  answer.kind === 'unavailable' && (answer.code === 'no_time' || answer.code === 'timeout')

/** The keys to ask for again: of kinds of which some were answered, so that this ends. */
function lateKeys(answers: AnswersByKind): Ask['keys'] {
  const late = [...answers].flatMap(([kind, found]) => {
    const keys = [...found].flatMap(([key, answer]) => (isLate(answer) ? [key] : []))
    const isHeard = [...found.values()].some(({ kind: told }) => told !== 'unavailable')
    return keys.length > 0 && isHeard ? [[kind, keys] as const] : []
  })
  return Object.fromEntries(late)
}

/**
 * Looks up as a chunk does, and as slowly as the registry likes: keys there was no time for are asked for again as long
 * as that brings answers.
 */
export function patientLookUps(
  lookUps: Pick<LookUps, 'ask' | 'deadline'>,
  freshSeconds: number,
  tally: Tally
): Pick<LookUps, 'ask' | 'deadline'> {
  return {
    deadline: () => lookUps.deadline(),
    async ask(ask) {
      const all = new Map<RegistryKind, Map<string, LookUp>>()
      for (let wanted = ask.keys; Object.keys(wanted).length > 0; ) {
        const answers = await lookUps.ask({ ...ask, keys: wanted, freshSeconds, until: lookUps.deadline() })
        for (const [kind, found] of answers) {
          const known = all.get(kind) ?? new Map<string, LookUp>()
          for (const [key, answer] of found) known.set(key, answer)
          all.set(kind, known)
        }
        ask.signal.throwIfAborted()
        wanted = lateKeys(answers)
      }
      for (const [kind, found] of all) tally(kind, countsOf(found))
      return all
    }
  }
}
