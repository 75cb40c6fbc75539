import type { Config } from '../config.ts'
import { runSplitJob } from '../pipeline/split/run-split-job.ts'
import type { DocumentDeps, GatedDeps } from '../pipeline/work/pipeline-deps.ts'
import { processDocument, processRecognised } from '../pipeline/work/process-document.ts'
import { processRows } from '../pipeline/work/process-rows.ts'
import { gated, type Processors, runChunkJob } from '../pipeline/work/run-chunk-job.ts'
import type { Hold } from '../queue/holds.ts'
import type { JobListener } from '../queue/listener.ts'
import { DEAD_LETTERS, QUEUES, type QueueName } from '../queue/queues.ts'
import { type ClaimedJob, type JobHandler, type Slots, startSlots } from '../queue/slots.ts'
import { runRedriveJob } from '../review/redrive.ts'
import { settleDeadLetter } from './settle-dead-letter.ts'

const PROCESSORS: Processors<DocumentDeps> = { rows: processRows, document: processDocument }
const RECOGNISING: Processors<DocumentDeps> = { rows: processRows, document: processRecognised }

/** Works a chunk of rows somewhere: in this thread, or in one of its own. */
export type RunRows = (job: ClaimedJob) => Promise<'settled'>

/** Exactly one handler for every queue; a queue without one would not type-check. */
export function handlersOf(
  deps: DocumentDeps & GatedDeps,
  runRows: RunRows = job => runChunkJob(deps, PROCESSORS, job)
): Readonly<Record<QueueName | typeof DEAD_LETTERS, JobHandler>> {
  return {
    split: job => runSplitJob(deps, job),
    chunk: job => gated(deps, job, () => runRows(job)),
    document: job => gated(deps, job, () => runChunkJob(deps, PROCESSORS, job)),
    // Minutes of work that is done in a process of its own: to run it alone would stop the worker for as long.
    ocr: job => deps.gate.together(() => runChunkJob(deps, RECOGNISING, job), 'long'),
    redrive: job => runRedriveJob(deps, job),
    reread: job => runRedriveJob(deps, job),
    [DEAD_LETTERS]: job => settleDeadLetter(deps, job)
  }
}

export interface QueueOptions {
  readonly listener: JobListener
  readonly config: Config
  /** Where chunks of rows are worked; in this thread when nothing else is said. */
  readonly runRows?: RunRows
  /** What operators hold back at the start. */
  readonly holds?: readonly Hold[]
}

/** Starts the slots of every queue. */
export function startQueues(
  deps: DocumentDeps & GatedDeps,
  { listener, config, runRows, holds = [] }: QueueOptions
): Slots[] {
  const counts: Record<QueueName | typeof DEAD_LETTERS, number> = {
    split: 2,
    chunk: config.chunk.slots,
    document: config.document.slots,
    ocr: config.ocr.slots,
    redrive: 1,
    reread: 1,
    [DEAD_LETTERS]: 1
  }
  const handlers = handlersOf(deps, runRows)
  const { boss, logger } = deps
  return [...QUEUES, DEAD_LETTERS].map(queue =>
    startSlots({
      boss,
      listener,
      logger,
      queue: queue as QueueName,
      slots: counts[queue as QueueName],
      heartbeatSeconds: config.heartbeatSeconds,
      handler: handlers[queue as QueueName],
      holds
    })
  )
}
