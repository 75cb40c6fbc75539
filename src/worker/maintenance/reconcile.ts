import type { Pool } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import { nextChunkGeneration, takeWaitingChunks } from '../../db/work/chunks.ts'
import { nextFileGeneration } from '../../db/work/splits.ts'
import { listEnqueuedChunks, listStarvedFiles, listUnsplitFiles, type PendingSubject } from '../../db/work/stalled.ts'
import { QUEUED_CHUNKS } from '../../model/limits.ts'
import type { Boss } from '../../queue/boss.ts'
import { enqueueJobs } from '../../queue/enqueue.ts'
import { withoutLiveJob } from '../../queue/live-jobs.ts'
import type { QueueName } from '../../queue/queues.ts'

export interface ReconcileDeps {
  readonly pool: Pool
  readonly boss: Boss
}

const PAGE = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

const queueOf = (subject: PendingSubject): QueueName =>
  subject.kind === 'file' ? 'split' : subject.kind === 'document' ? 'document' : 'chunk'

/** A document may have been handed on to be recognised. */
const queuesOf = (queue: QueueName): readonly QueueName[] => (queue === 'document' ? ['document', 'ocr'] : [queue])

/** Gives one subject a new generation and its job, unless somebody else did meanwhile. */
async function requeue(deps: ReconcileDeps, subject: PendingSubject): Promise<boolean> {
  return withTransaction(deps.pool, async tx => {
    const next = subject.kind === 'file' ? nextFileGeneration : nextChunkGeneration
    const generation = await next(tx, subject.jurisdiction, subject.id, subject.generation)
    if (generation === undefined) return false
    const { jurisdiction, id, lane } = subject
    await enqueueJobs(deps.boss, tx, queueOf(subject), [{ jurisdiction, subjectId: id, generation, lane }])
    return true
  })
}

async function reconcilePage(deps: ReconcileDeps, page: readonly PendingSubject[]): Promise<number> {
  let requeued = 0
  for (const queue of new Set(page.map(queueOf))) {
    const ofQueue = page.filter(subject => queueOf(subject) === queue)
    for (const subject of await withoutLiveJob(deps.pool, queuesOf(queue), ofQueue)) {
      if (await requeue(deps, subject)) requeued += 1
    }
  }
  return requeued
}

async function feedStarvedFiles(deps: ReconcileDeps): Promise<number> {
  let fed = 0
  for (const file of await listStarvedFiles(deps.pool, PAGE)) {
    await withTransaction(deps.pool, async tx => {
      const chunks = await takeWaitingChunks(tx, file.jurisdiction, file.id, QUEUED_CHUNKS)
      const jobs = chunks.map(({ id }) => ({
        jurisdiction: file.jurisdiction,
        subjectId: id,
        generation: 1,
        lane: file.lane
      }))
      await enqueueJobs(deps.boss, tx, 'chunk', jobs)
      fed += jobs.length
    })
  }
  return fed
}

/**
 * Makes new jobs for pending chunks and unsplit files that have none alive: the queue is transport, our tables are the
 * truth. Goes through all of them page by page, past what it cannot help. Answers how many jobs it made.
 */
export async function reconcile(deps: ReconcileDeps): Promise<number> {
  let requeued = 0
  for (const list of [listEnqueuedChunks, listUnsplitFiles]) {
    let after = FIRST
    for (;;) {
      const page = await list(deps.pool, after, PAGE)
      requeued += await reconcilePage(deps, page)
      if (page.length < PAGE) break
      after = page.at(-1)?.id ?? FIRST
    }
  }
  return requeued + (await feedStarvedFiles(deps))
}
