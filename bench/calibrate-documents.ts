/**
 * Fits the table of `src/profiles/find/calibration.ts`: `node bench/calibrate-documents.ts TRUTH… [--cache FOLDER]`.
 * Prints the counts of every step, the shares fitted to all documents, and how the same fit does on documents
 * it has not seen (each left out once, and each source). Steps are bounds of score fixed beforehand. A step's share counts one right
 * and three wrong answers more than were seen: with no wrong one in n, three in n may still be wrong (95 %), and the
 * rules were tuned on the same documents. Steps that are out of order are put together until shares fall with the score.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DocumentText } from '../src/model/document-text.ts'
import { bestScore } from '../src/profiles/find/choose.ts'
import { findFields, gatherEvidence } from '../src/profiles/find/find-fields.ts'
import { lease } from '../src/profiles/lease/lease.ts'
import { policy } from '../src/profiles/policy/policy.ts'
import { sourceOf } from './documents/clusters.ts'
import { documentReader } from './documents/read-document.ts'
import { type Entry, readTruth, verdictOf } from './documents/truth.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string' }, today: { type: 'string', default: '2026-01-15' } }
})

/** Lower bounds of score, best first. */
const STEPS = [0.98, 0.93, 0.88, 0.8, 0.75, 0.7, 0.6, 0]
const ADDED = { right: 1, wrong: 3 }

interface Observation {
  readonly document: string
  readonly score: number | 'absent' | 'undecided'
  readonly isRight: boolean
}

function observeDocument(entry: Entry, document: DocumentText): Observation[] {
  const profile = entry.profile === 'lease' ? lease : policy
  const context = { today: args.today, jurisdiction: '53033' }
  const { fields } = findFields(profile, document, context)
  const { evidence } = gatherEvidence(profile, document, context)
  return Object.keys(entry.fields).map(name => {
    const value = fields[name]?.value ?? null
    const own = evidence.filter(piece => piece.field === name)
    const score = value === null ? (own.length > 0 ? 'undecided' : 'absent') : (bestScore(own) ?? 0)
    return { document: entry.path, score, isRight: verdictOf(entry, name, value) === 'correct' }
  })
}

async function observe(): Promise<Observation[]> {
  const documents = documentReader(args.cache)
  const entries = positionals.flatMap(file => {
    const { root, entries: own } = readTruth(file)
    return own.map(entry => ({ entry, path: join(root, entry.path) }))
  })
  const seen: Observation[] = []
  try {
    for (const { entry, path } of entries) {
      const outcome = await documents.read(path)
      if (outcome.ok) seen.push(...observeDocument(entry, outcome.document))
    }
  } finally {
    await documents.close()
  }
  return seen
}

interface Step {
  readonly bound: number
  readonly n: number
  readonly right: number
}

const shareOf = ({ n, right }: Step): number => (right + ADDED.right) / (n + ADDED.right + ADDED.wrong)

/** Counts by step, neighbours put together (pool adjacent violators) until a better score never means a lower share. */
function fit(observations: readonly Observation[]): Step[] {
  const steps: Step[] = []
  for (const bound of STEPS) {
    const above = STEPS[STEPS.indexOf(bound) - 1] ?? Number.POSITIVE_INFINITY
    const own = observations.filter(({ score }) => typeof score === 'number' && score >= bound && score < above)
    let step: Step = { bound, n: own.length, right: own.filter(({ isRight }) => isRight).length }
    for (let last = steps.at(-1); last && shareOf(last) < shareOf(step); last = steps.at(-1)) {
      steps.pop()
      step = { bound, n: step.n + last.n, right: step.right + last.right }
    }
    steps.push(step)
  }
  return steps
}

const predict = (steps: readonly Step[], score: number): number => {
  const step = steps.find(({ bound }) => score >= bound) ?? steps.at(-1)
  return step ? shareOf(step) : 0
}

/** Mean distance of stated from actual shares, in tenths of what was stated. */
function errorOf(pairs: readonly (readonly [said: number, isRight: boolean])[]): number {
  const bins = Map.groupBy(pairs, ([said]) => Math.min(9, Math.floor(said * 10)))
  const off = [...bins.values()].map(bin =>
    Math.abs(bin.reduce((sum, [said, isRight]) => sum + said - (isRight ? 1 : 0), 0))
  )
  return off.reduce((sum, one) => sum + one, 0) / Math.max(pairs.length, 1)
}

function leftOut(
  observations: readonly Observation[],
  keyOf: (observation: Observation) => string
): (readonly [number, boolean])[] {
  return [...Map.groupBy(observations, keyOf)].flatMap(([key, own]) => {
    const steps = fit(observations.filter(other => keyOf(other) !== key))
    return own.flatMap(({ score, isRight }) =>
      typeof score === 'number' ? [[predict(steps, score), isRight] as const] : []
    )
  })
}

if (positionals.length === 0) throw new Error('Name at least one file of truths.')
const observations = await observe()
const ofEmpty = (kind: Observation['score']): string => {
  const own = observations.filter(({ score }) => score === kind)
  return `${own.filter(({ isRight }) => isRight).length} of ${own.length} rightly empty`
}
for (const step of fit(observations)) {
  console.log(`from ${step.bound}: ${step.right} of ${step.n} right, share ${shareOf(step).toFixed(3)}`)
}
console.log(`nothing found: ${ofEmpty('absent')}; undecided: ${ofEmpty('undecided')}`)
const pairs = leftOut(observations, ({ document }) => document)
const bySource = leftOut(observations, ({ document }) => sourceOf(document))
console.log(`values ${pairs.length}, calibration error with each document left out ${errorOf(pairs).toFixed(3)}`)
console.log(`calibration error with each source left out ${errorOf(bySource).toFixed(3)}`)
