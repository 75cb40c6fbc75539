import { withTransaction } from '../../db/transaction.ts'
import { insertRecords } from '../../db/work/records.ts'
import { AppError } from '../../errors.ts'
import { reasonOf } from '../../model/reasons.ts'
import { commitChunk } from './commit-chunk.ts'
import type { CommitDeps, CommitOutcome, CommitWork } from './end-chunk.ts'
import type { JudgedRecord } from './judged-record.ts'

const PROBE_PASSED = Symbol('probe passed')

/** The entries of a probe are rolled back with it. */
const PROBE_AUDIT = {
  frame: { opening: '{', jurisdiction: '', manifest: '' },
  previous: '',
  plainDetail: '',
  timelines: [[]]
}

/** Whether the database can store these records: they are written in a transaction that is always rolled back. */
async function isStorable(deps: CommitDeps, work: CommitWork, records: readonly JudgedRecord[]): Promise<boolean> {
  const owner = { ...work.chunk, chunkId: work.chunk.id }
  const rows = records.map((record, i) => ({
    ...record,
    id: deps.newId(),
    salt: deps.newSalt(),
    // Far above any real version, and different for each record of the probe.
    version: record.naturalKey === null ? null : 1_000_000_000 + i,
    duplicateOf: null,
    isVersion: record.state === 'accepted',
    timeline: 0,
    detail: null
  }))
  let passed: unknown
  try {
    await withTransaction(deps.pool, async tx => {
      await insertRecords(tx, owner, rows, PROBE_AUDIT)
      passed = PROBE_PASSED
      throw new AppError('INTERNAL', 'The probe is rolled back.')
    })
  } catch (error) {
    if (passed === PROBE_PASSED) return true
    if (error instanceof AppError && error.code === 'VALUE_NOT_STORABLE') return false
    throw error
  }
  return true
}

/** Numbers (in the list) of the records the database refuses, found by halves. */
async function findUnstorable(
  deps: CommitDeps,
  work: CommitWork,
  from: number,
  to: number
): Promise<readonly number[]> {
  if (await isStorable(deps, work, work.records.slice(from, to))) return []
  if (to - from === 1) return [from]
  const middle = from + Math.floor((to - from) / 2)
  return [...(await findUnstorable(deps, work, from, middle)), ...(await findUnstorable(deps, work, middle, to))]
}

/** A record that the database refuses, held without its values. */
export const heldUnstorable = <R extends JudgedRecord>(record: R): R => ({
  ...record,
  state: 'quarantined',
  naturalKey: null,
  confidence: null,
  reasons: [reasonOf('VALUE_NOT_STORABLE', { origin: record.item > 0 ? { row: record.item } : null })],
  fields: {},
  content: null,
  diagnostic: null
})

/** Makes the outcome of a chunk durable, in truth or as the report of a dry run. */
type EndChunk = (deps: CommitDeps, work: CommitWork) => Promise<CommitOutcome>

/** Commits a chunk, and holds just the records that the database refuses. */
export const commitStorable: EndChunk = (deps, work) => endStorable(deps, work, commitChunk)

/**
 * Ends a chunk; when the database refuses a value, finds the records it refuses by halves, holds just those without their
 * values, and ends it again.
 */
export async function endStorable(deps: CommitDeps, work: CommitWork, end: EndChunk): Promise<CommitOutcome> {
  try {
    return await end(deps, work)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALUE_NOT_STORABLE') throw error
    const refused = new Set(await findUnstorable(deps, work, 0, work.records.length))
    if (refused.size === 0) throw error
    const records = work.records.map((record, i) => (refused.has(i) ? heldUnstorable(record) : record))
    return end(deps, { ...work, records })
  }
}
