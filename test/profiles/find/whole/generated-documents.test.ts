import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type Test, test } from 'tap'
import { type Generated, generateDocuments } from '../../../../bench/documents/generate/documents.ts'
import { generatePapers, papersOf } from '../../../../bench/documents/generate/papers.ts'
import { MEDIA_TYPES, REQUIRED, verdictOf } from '../../../../bench/documents/truth.ts'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../../src/profiles/judge/judge.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import { testExtractor } from '../../../extract/extractor-fixture.ts'

/** One of each layout and trap; `GENERATED_DOCUMENTS` asks for more. */
const COUNT = Number(process.env['GENERATED_DOCUMENTS'] ?? 64)
const SEED = Number(process.env['GENERATED_SEED'] ?? 404)
const CONTEXT = { today: '2026-01-15', jurisdiction: '53033' }

/** Groups of papers that rules were changed for; each was first measured unseen (docs/accuracy.md). */
const GROUPS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19']

async function* everyPaper(seed: number): AsyncGenerator<Generated> {
  for (const group of GROUPS) yield* generatePapers(group, papersOf(group).length, seed)
}

interface Counts {
  readonly answers: number
  readonly right: number
  readonly complete: number
  readonly straight: number
}

/** Reads documents as production does and counts. Nothing wrong and nothing incomplete may be accepted, and all has its place. */
async function readAll(t: Test, documents: AsyncGenerator<Generated>): Promise<Counts> {
  const extractor = testExtractor(t, { slots: 2 })
  const folder = mkdtempSync(join(tmpdir(), 'docket-generated-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const counts = { answers: 0, right: 0, complete: 0, straight: 0 }
  for await (const { entry, content } of documents) {
    const path = join(folder, entry.path)
    writeFileSync(path, content)
    const outcome = await extractor.extract(path, MEDIA_TYPES[extname(path)] ?? '')
    if (!outcome.ok) throw new Error(`${entry.path}: ${outcome.reason}`)
    const profile = entry.profile === 'lease' ? lease : policy
    const candidate = findFields(profile, outcome.document, CONTEXT)
    const isAccepted = judge(profile, candidate, CONTEXT).state === 'accepted'
    const isComplete = REQUIRED[entry.profile].every(name => entry.fields[name] !== null)
    const verdicts = (entry.isOther ? [] : Object.keys(entry.fields)).map(name => {
      const envelope = candidate.fields[name]
      if (envelope && envelope.value !== null) t.ok(envelope.origin, `${entry.path}: ${name} has its place`)
      return { name, value: envelope?.value, verdict: verdictOf(entry, name, envelope?.value) }
    })
    for (const { name, value, verdict } of verdicts) {
      counts.answers += 1
      if (verdict === 'correct') counts.right += 1
      t.notOk(isAccepted && verdict === 'wrong', `${entry.path}: ${name} is not ${JSON.stringify(value)}`)
    }
    t.notOk(isAccepted && !isComplete, `${entry.path} lacks a field and is held`)
    if (isComplete) counts.complete += 1
    if (isComplete && isAccepted) counts.straight += 1
  }
  return counts
}

test('of generated documents nothing wrong is accepted, and most is read', async t => {
  t.comment(`${COUNT} documents, seed ${SEED}`)
  const counts = await readAll(t, generateDocuments(COUNT, SEED))
  t.ok(counts.right >= counts.answers * 0.97, `${counts.right} of ${counts.answers} right`)
  t.ok(counts.straight >= counts.complete * 0.85, `${counts.straight} of ${counts.complete} straight through`)
})

test('of papers as carriers and landlords set them nothing wrong is accepted, and most is read', async t => {
  t.comment(`one of each, seed ${SEED}`)
  const counts = await readAll(t, everyPaper(SEED))
  t.ok(counts.right >= counts.answers * 0.92, `${counts.right} of ${counts.answers} right`)
  t.ok(counts.straight >= counts.complete * 0.65, `${counts.straight} of ${counts.complete} straight through`)
})
