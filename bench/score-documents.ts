/**
 * Scores field finding over gold labels: `node bench/score-documents.ts TRUTH.jsonl [--only PART] [--misses] [--scores]`.
 * Each line of the file is `{ path, profile, fields, alternates? }`, paths relative to it. `--dir FOLDER --profile NAME`
 * instead of a file reads every document of a folder that must not be accepted. The figures are those of the
 * conformance scorer: an answer counts as it stands when its document is judged.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createExtractor, type ExtractOutcome } from '../src/extract/extractor.ts'
import type { Json } from '../src/model/json.ts'
import { bestScore } from '../src/profiles/find/choose.ts'
import { findFields, gatherEvidence } from '../src/profiles/find/find-fields.ts'
import { judge } from '../src/profiles/judge/judge.ts'
import { lease } from '../src/profiles/lease/lease.ts'
import { policy } from '../src/profiles/policy/policy.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
    scores: { type: 'boolean', default: false },
    dir: { type: 'string' },
    profile: { type: 'string', default: 'policy' },
    cache: { type: 'string' },
    today: { type: 'string', default: '2026-01-15' }
  }
})

type Gold = Json
interface Entry {
  readonly path: string
  readonly profile: string
  readonly fields: Readonly<Record<string, Gold>>
  readonly alternates?: Readonly<Record<string, readonly Gold[]>>
}

const PROFILES = { policy, lease } as const
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  policy: ['policy_number', 'named_insured', 'effective_date', 'expiration_date', 'premium_total'],
  lease: ['tenant_name', 'lease_start', 'lease_end', 'base_rent', 'property_address']
}
const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.md': 'text/markdown',
  '.txt': 'text/plain'
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const squash = (value: Json): string =>
  textOf(value)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:"']+|[\s.,;:"']+$/g, '')
const bare = (value: Json): string => squash(value).replace(/[^\p{L}\p{N}]/gu, '')
const isDecimal = (value: Json): boolean => /^-?\d+(?:\.\d+)?$/.test(textOf(value))

function sameValue(expected: Gold, actual: Json | undefined): boolean {
  if (expected === null) return actual === null || actual === undefined || actual === ''
  if (actual === null || actual === undefined) return false
  if (Array.isArray(expected)) {
    const parts: readonly Json[] = Array.isArray(actual) ? actual : [actual]
    return expected.every(value => parts.some(part => sameValue(value, part) || bare(part).includes(bare(value))))
  }
  if (isDecimal(expected) && isDecimal(actual)) {
    if (/^-?0\d/.test(textOf(expected)) || /^-?0\d/.test(textOf(actual))) return textOf(expected) === textOf(actual)
    return Number(expected) === Number(actual)
  }
  return squash(expected) === squash(actual) || (bare(expected) !== '' && bare(expected) === bare(actual))
}

function entriesOf(): { root: string; entries: Entry[] } {
  if (args.dir !== undefined) {
    const entries = readdirSync(args.dir)
      .filter(name => Object.hasOwn(TYPES, extname(name)))
      .map(name => ({ path: name, profile: args.profile, fields: {} }))
    return { root: args.dir, entries }
  }
  const file = positionals[0]
  if (file === undefined) throw new Error('Name a file of gold labels, or --dir.')
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return { root: dirname(file), entries: lines.map(line => JSON.parse(line) as Entry) }
}

const tempDir = mkdtempSync(join(tmpdir(), 'docket-score-'))
const extractor = createExtractor({ memoryMb: 512, seconds: 60, pages: 2000, slots: 2, tempDir })

/** Extraction is slow and does not change while finding is worked on: `--cache FOLDER` keeps its results. */
async function extract(path: string): Promise<ExtractOutcome> {
  const type = TYPES[extname(path)] ?? 'application/pdf'
  if (args.cache === undefined) return extractor.extract(resolve(path), type)
  mkdirSync(args.cache, { recursive: true })
  const kept = join(args.cache, `${basename(dirname(path))}-${basename(path)}-${statSync(path).size}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as ExtractOutcome
  const outcome = await extractor.extract(resolve(path), type)
  writeFileSync(kept, JSON.stringify(outcome))
  return outcome
}

interface Bin {
  n: number
  sum: number
  right: number
}
const sum = {
  documents: 0,
  correct: 0,
  wrong: 0,
  missing: 0,
  acceptedFields: 0,
  acceptedWrong: 0,
  complete: 0,
  through: 0,
  incomplete: 0,
  accepted: 0,
  found: 0,
  located: 0
}
const bins: Bin[] = Array.from({ length: 10 }, () => ({ n: 0, sum: 0, right: 0 }))
const perField = new Map<string, { correct: number; wrong: number; missing: number }>()

async function score(root: string, entry: Entry): Promise<void> {
  const profile = entry.profile === 'lease' ? PROFILES.lease : PROFILES.policy
  const outcome = await extract(join(root, entry.path))
  sum.documents += 1
  const context = { today: args.today, jurisdiction: '53033' }
  const candidate = outcome.ok ? findFields(profile, outcome.document, context) : null
  const evidence = args.scores && outcome.ok ? gatherEvidence(profile, outcome.document, context).evidence : []
  const judgement = candidate ? judge(profile, candidate, context) : null
  const isAccepted = judgement?.state === 'accepted'
  if (isAccepted) sum.accepted += 1
  const notes: string[] = []
  let isRight = true
  for (const [name, gold] of Object.entries(entry.fields)) {
    const envelope = candidate?.fields[name]
    const best = args.scores ? bestScore(evidence.filter(piece => piece.field === name)) : null
    const value = envelope?.value
    const isCorrect = [gold, ...(entry.alternates?.[name] ?? [])].some(right => sameValue(right, value))
    const verdict = isCorrect ? 'correct' : value === null || value === undefined ? 'missing' : 'wrong'
    sum[verdict] += 1
    if (best !== null) console.log(['score', entry.path, name, best.toFixed(3), verdict].join('\t'))
    const counts = perField.get(`${entry.profile}.${name}`) ?? { correct: 0, wrong: 0, missing: 0 }
    counts[verdict] += 1
    perField.set(`${entry.profile}.${name}`, counts)
    if (!isCorrect) isRight = false
    if (isAccepted) {
      sum.acceptedFields += 1
      if (verdict === 'wrong') sum.acceptedWrong += 1
    }
    if (verdict !== 'missing' && value !== null && value !== undefined) {
      sum.found += 1
      if (envelope?.origin) sum.located += 1
    }
    if (verdict !== 'missing' && envelope) {
      const bin = bins[Math.min(9, Math.floor(envelope.confidence * 10))]
      if (bin)
        Object.assign(bin, { n: bin.n + 1, sum: bin.sum + envelope.confidence, right: bin.right + (isCorrect ? 1 : 0) })
    }
    if (!isCorrect)
      notes.push(
        `   ${verdict} ${name}: ${JSON.stringify(value)} for ${JSON.stringify(gold)} ${envelope ? `${envelope.status} ${envelope.confidence} [${envelope.flags.join(' ')}] ${JSON.stringify(envelope.readings ?? '')}` : ''}`
      )
  }
  const isLacking = (REQUIRED[entry.profile] ?? []).some(name => entry.fields[name] === null)
  if (!isLacking) sum.complete += 1
  if (isLacking && isAccepted) sum.incomplete += 1
  if (!isLacking && isAccepted && isRight) sum.through += 1
  const reasons = judgement?.reasons
    .filter(reason => reason.severity !== 'info')
    .map(reason => `${reason.code}${reason.field ? `(${reason.field})` : ''}`)
  const state = judgement?.state ?? `not read: ${outcome.ok ? '' : outcome.reason}`
  if (args.misses || args.dir !== undefined) {
    const mark = isAccepted && (isLacking || !isRight || args.dir !== undefined) ? '!!' : isLacking ? '' : '*'
    console.log(`${mark} ${entry.path}: ${state} ${judgement?.confidence.toFixed(3) ?? ''} ${reasons?.join(' ') ?? ''}`)
    for (const note of notes) console.log(note)
  }
  if (args.only !== undefined) console.log(JSON.stringify(candidate?.fields, null, 1))
}

const { root, entries } = entriesOf()
try {
  for (const entry of entries.filter(({ path }) => args.only === undefined || path.includes(args.only))) {
    await score(root, entry)
  }
} finally {
  await extractor.close()
  rmSync(tempDir, { recursive: true, force: true })
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'n/a' : `${((100 * part) / whole).toFixed(1)} %`
const binned = bins.reduce((n, bin) => n + bin.n, 0)
const error = bins.reduce((total, bin) => total + (bin.n ? Math.abs(bin.sum - bin.right) : 0), 0) / Math.max(binned, 1)
for (const [name, counts] of [...perField].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${name}: ${JSON.stringify(counts)}`)
console.log(
  [
    `documents ${sum.documents}, accepted ${sum.accepted}`,
    `right ${percent(sum.correct, sum.correct + sum.wrong + sum.missing)}`,
    `precision ${percent(sum.correct, sum.correct + sum.wrong)}`,
    `wrong among accepted ${percent(sum.acceptedWrong, sum.acceptedFields)}`,
    `straight through ${sum.through} of ${sum.complete} complete`,
    `accepted though incomplete ${sum.incomplete}`,
    `calibration error ${error.toFixed(3)}`,
    `located ${percent(sum.located, sum.found)}`
  ].join(', ')
)
for (const [index, bin] of bins.entries()) {
  if (bin.n > 0)
    console.log(
      `  ${index / 10}: ${bin.n} fields, said ${(bin.sum / bin.n).toFixed(3)}, were ${(bin.right / bin.n).toFixed(3)}`
    )
}
