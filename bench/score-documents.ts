/**
 * Scores field finding over documents with a truth:
 * `node bench/score-documents.ts TRUTH [--only PART] [--misses] [--cache FOLDER]`, where TRUTH is a file of lines
 * `{ path, profile, fields, alternates? }` or `samples/manifest.json`. `--dir FOLDER --profile NAME` instead reads every
 * document of a folder that must not be accepted. An answer counts as it stands when its document is judged.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Envelope } from '../src/model/envelope.ts'
import { findFields } from '../src/profiles/find/find-fields.ts'
import { type Judgement, judge } from '../src/profiles/judge/judge.ts'
import { lease } from '../src/profiles/lease/lease.ts'
import { policy } from '../src/profiles/policy/policy.ts'
import { clusteredInterval, sourceOf } from './documents/clusters.ts'
import { documentReader } from './documents/read-document.ts'
import { type Entry, folderTruth, REQUIRED, readTruth, type Truth, type Verdict, verdictOf } from './documents/truth.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
    dir: { type: 'string' },
    profile: { type: 'string', default: 'policy' },
    cache: { type: 'string' },
    today: { type: 'string', default: '2026-01-15' }
  }
})

const PROFILES = { policy, lease } as const

function truth(): Truth {
  if (args.dir !== undefined) return folderTruth(args.dir, args.profile === 'lease' ? 'lease' : 'policy')
  const [file] = positionals
  if (file === undefined) throw new Error('Name a file of truths, or --dir.')
  return readTruth(file)
}

interface Answer {
  readonly name: string
  readonly verdict: Verdict
  readonly envelope: Envelope | undefined
}

interface Scored {
  readonly entry: Entry
  readonly judgement: Judgement | null
  readonly state: string
  readonly answers: readonly Answer[]
}

const documents = documentReader(args.cache)

async function score(root: string, entry: Entry): Promise<Scored> {
  const profile = PROFILES[entry.profile]
  const outcome = await documents.read(join(root, entry.path))
  const context = { today: args.today, jurisdiction: '53033' }
  const candidate = outcome.ok ? findFields(profile, outcome.document, context) : null
  const judgement = candidate ? judge(profile, candidate, context) : null
  if (args.only !== undefined) console.log(JSON.stringify(candidate?.fields, null, 1))
  const answers = (entry.isOther ? [] : Object.keys(entry.fields)).map(name => {
    const envelope = candidate?.fields[name]
    return { name, envelope, verdict: verdictOf(entry, name, envelope?.value) }
  })
  return { entry, judgement, state: judgement?.state ?? `not read: ${outcome.ok ? '' : outcome.reason}`, answers }
}

const isAccepted = ({ state }: Scored): boolean => state === 'accepted'
const isLacking = ({ entry }: Scored): boolean => REQUIRED[entry.profile].some(name => entry.fields[name] === null)
const isRight = ({ answers }: Scored): boolean => answers.every(answer => answer.verdict === 'correct')

function report(scored: Scored): void {
  const { entry, judgement, state, answers } = scored
  const reasons = judgement?.reasons
    .filter(reason => reason.severity !== 'info')
    .map(reason => `${reason.code}${reason.field ? `(${reason.field})` : ''}`)
  const isBad = isAccepted(scored) && (isLacking(scored) || !isRight(scored) || args.dir !== undefined)
  const mark = isBad ? '!!' : isLacking(scored) ? '' : '*'
  console.log(`${mark} ${entry.path}: ${state} ${judgement?.confidence.toFixed(3) ?? ''} ${reasons?.join(' ') ?? ''}`)
  for (const { name, verdict, envelope } of answers) {
    if (verdict === 'correct') continue
    const told = envelope ? `${envelope.status} ${envelope.confidence} [${envelope.flags.join(' ')}]` : ''
    const readings = JSON.stringify(envelope?.readings ?? '')
    const wanted = JSON.stringify(entry.fields[name])
    console.log(`   ${verdict} ${name}: ${JSON.stringify(envelope?.value)} for ${wanted} ${told} ${readings}`)
  }
}

const share = (value: number): string => (100 * value).toFixed(1)

/** A share with the interval that holds the true one with 95 % confidence (Wilson), as if answers were independent. */
function percent(part: number, whole: number): string {
  if (whole === 0) return 'n/a'
  const z = 1.96
  const centre = (part + (z * z) / 2) / (whole + z * z)
  const half = (z / (whole + z * z)) * Math.sqrt((part * (whole - part)) / whole + (z * z) / 4)
  return `${share(part / whole)} % (${share(Math.max(0, centre - half))}–${share(Math.min(1, centre + half))})`
}

const count = (answers: readonly Answer[], verdict: Verdict): number =>
  answers.filter(answer => answer.verdict === verdict).length

/** The interval of a share by drawing whole carriers, landlords or layouts anew. */
function clustered(parts: readonly { hits: number; of: number; entry: Entry }[]): string {
  const [low, high] = clusteredInterval(
    parts.map(({ hits, of, entry }) => ({ hits, of, source: sourceOf(entry.path) })),
    17
  )
  return `${share(low)}–${share(high)}`
}

interface Bin {
  readonly n: number
  readonly said: number
  readonly right: number
}

/** Answers by what they say of their confidence, in tenths. An answer that is lacking says nothing to judge. */
function binsOf(answers: readonly Answer[]): Map<number, Bin> {
  const bins = new Map<number, Bin>()
  for (const { envelope, verdict } of answers) {
    if (!envelope || verdict === 'missing') continue
    const index = Math.min(9, Math.floor(envelope.confidence * 10))
    const bin = bins.get(index) ?? { n: 0, said: 0, right: 0 }
    const right = bin.right + (verdict === 'correct' ? 1 : 0)
    bins.set(index, { n: bin.n + 1, said: bin.said + envelope.confidence, right })
  }
  return new Map([...bins].toSorted(([a], [b]) => a - b))
}

function straight(complete: readonly Scored[]): string {
  const passed = complete.filter(one => isAccepted(one) && isRight(one)).length
  return `${passed} of ${complete.length}, ${percent(passed, complete.length)}`
}

function summary(all: readonly Scored[]): void {
  const answers = all.flatMap(one => one.answers)
  const accepted = all.filter(isAccepted)
  const complete = all.filter(one => !isLacking(one))
  const given = answers.filter(({ verdict, envelope }) => verdict !== 'missing' && (envelope?.value ?? null) !== null)
  const bins = binsOf(answers)
  const binned = [...bins.values()]
  const judged = binned.reduce((n, bin) => n + bin.n, 0)
  const error = binned.reduce((sum, bin) => sum + Math.abs(bin.said - bin.right), 0) / Math.max(judged, 1)
  const inAccepted = accepted.flatMap(one => one.answers)
  const lines = [
    `documents ${all.length}, accepted ${accepted.length}`,
    `right ${percent(count(answers, 'correct'), answers.length)}`,
    `precision ${percent(count(answers, 'correct'), count(answers, 'correct') + count(answers, 'wrong'))}`,
    `wrong among accepted ${percent(count(inAccepted, 'wrong'), inAccepted.length)}`,
    `straight through ${straight(complete)} of complete`,
    ...(['policy', 'lease'] as const).map(
      profile => `${profile} ${straight(complete.filter(({ entry }) => entry.profile === profile))}`
    ),
    `accepted though incomplete ${accepted.filter(isLacking).length}`,
    `calibration error ${error.toFixed(3)}`,
    `by source: right ${clustered(all.map(one => ({ hits: count(one.answers, 'correct'), of: one.answers.length, entry: one.entry })))}`,
    `straight through ${clustered(complete.map(one => ({ hits: isAccepted(one) && isRight(one) ? 1 : 0, of: 1, entry: one.entry })))}`,
    `located ${percent(given.filter(({ envelope }) => envelope?.origin).length, given.length)}`
  ]
  const named = all.flatMap(({ entry, answers: own }) =>
    own.map(answer => ({ key: `${entry.profile}.${answer.name}`, answer }))
  )
  for (const [key, group] of [...Map.groupBy(named, one => one.key)].toSorted(([a], [b]) => a.localeCompare(b))) {
    const verdicts = group.map(({ answer }) => answer)
    const [right, wrong, missing] = (['correct', 'wrong', 'missing'] as const).map(verdict => count(verdicts, verdict))
    console.log(`${key}: ${right} right, ${wrong} wrong, ${missing} missing`)
  }
  console.log(lines.join(', '))
  for (const [index, { n, said, right }] of bins) {
    console.log(
      `  from ${index / 10}: ${n} answers, said ${(said / n).toFixed(3)}, were right ${(right / n).toFixed(3)}`
    )
  }
}

const { root, entries } = truth()
const all: Scored[] = []
try {
  for (const entry of entries.filter(({ path }) => args.only === undefined || path.includes(args.only))) {
    const scored = await score(root, entry)
    if (args.misses || args.dir !== undefined) report(scored)
    all.push(scored)
  }
} finally {
  await documents.close()
}
summary(all)
