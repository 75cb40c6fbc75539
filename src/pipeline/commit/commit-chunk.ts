import { frameOf, sealEntries } from '../../audit/append-entries.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Timeline } from '../../db/audit-entries.ts'
import type { Tx } from '../../db/pool.ts'
import { keepAnswers } from '../../db/registries/answers.ts'
import { withRetriedTransaction } from '../../db/transaction.ts'
import type { RecordRow } from '../../db/work/record-row.ts'
import { insertRecords } from '../../db/work/records.ts'
import { canonicalJson } from '../../model/json.ts'
import type { Transition } from '../../model/states.ts'
import { type CommitDeps, type CommitOutcome, type CommitWork, endChunk } from './end-chunk.ts'
import type { SettledRecord } from './place-records.ts'
import { settleRecords } from './settle-records.ts'

/** Which reasons a chunk's records have, so that a search for one can pass over the other chunks. */
const codesOf = (records: readonly SettledRecord[]): string[] => [
  ...new Set(records.flatMap(record => record.reasons.map(reason => reason.code)))
]

/** The ways records of a chunk went, by how they ended. */
const ENDS = ['accepted', 'quarantined', 'rejected'] as const

function timelinesOf(work: CommitWork, begun: number): Timeline[] {
  const { chunk } = work
  const way: (readonly [Transition, number | string])[] = [
    ['received', chunk.receivedAt],
    ['chunked', chunk.chunkedAt],
    ...work.stageEnds.map(([stage, at]) => [stage, Math.max(0, begun - at)] as const)
  ]
  return ENDS.map(end => [...way, [end, 0] as const])
}

/** What the entries of a chunk's records say beside their transitions. */
interface Details {
  /** That of nearly all records, put together once. */
  readonly plain: string
  readonly of: (record: SettledRecord) => string | null
}

function detailsOf({ answers }: CommitWork): Details {
  const told = answers ? { answers: answers.digest } : {}
  const plain = canonicalJson({ ...told, version: 1 })
  const held = answers ? canonicalJson(told) : null
  return {
    plain,
    of(record) {
      if (record.version === 1 && !record.duplicateOf) return plain
      if (record.duplicateOf) return canonicalJson({ ...told, duplicate_of: record.duplicateOf })
      return record.version === null ? held : canonicalJson({ ...told, version: record.version })
    }
  }
}

async function writeRecords(tx: Tx, deps: CommitDeps, work: CommitWork, begun: number): Promise<SettledRecord[]> {
  const { chunk } = work
  const identified = work.records.map(record => ({ ...record, id: deps.newId() }))
  const settled = await settleRecords(tx, chunk, identified)
  crashPoint('commit.settled')
  const details = detailsOf(work)
  const toRow = (record: SettledRecord): RecordRow => ({
    ...record,
    salt: deps.newSalt(),
    timeline: ENDS.indexOf(record.state),
    detail: details.of(record)
  })
  const scope = {
    jurisdiction: chunk.jurisdiction,
    batchId: chunk.batchId,
    manifestVersion: chunk.manifestVersion,
    actor: deps.actor,
    commitId: deps.newId()
  }
  const audit = {
    frame: frameOf(scope),
    previous: chunk.receivedHash.toString('hex'),
    plainDetail: details.plain,
    timelines: timelinesOf(work, begun)
  }
  const written = await insertRecords(tx, { ...chunk, chunkId: chunk.id }, settled.map(toRow), audit)
  crashPoint('commit.records-written')
  await sealEntries(tx, scope, written, settled.length)
  crashPoint('commit.sealed')
  if (work.answers) await keepAnswers(tx, { jurisdiction: chunk.jurisdiction, chunkId: chunk.id }, work.answers)
  crashPoint('commit.answers-kept')
  return settled
}

/**
 * Makes a chunk's outcome durable: records, versions and heads, audit entries, counts and the job's completion in one
 * short transaction, or none of it. Throws `CLAIM_LOST` as `endChunk` does, database codes for faults,
 * `VALUE_NOT_STORABLE` when the database refuses a value.
 */
export async function commitChunk(deps: CommitDeps, work: CommitWork): Promise<CommitOutcome> {
  // Read before the transaction begins: stage times counted back from its start must not come out too early.
  const begun = deps.now()
  crashPoint('commit.before-begin')
  return withRetriedTransaction(deps.pool, tx =>
    endChunk(tx, deps, work, async () => {
      const records = await writeRecords(tx, deps, work, begun)
      return { records, codes: codesOf(records) }
    })
  )
}
