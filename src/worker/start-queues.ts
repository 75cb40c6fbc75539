import type { Config } from '../config.ts'
import { runSplitJob } from '../pipeline/split/run-split-job.ts'
import type { PipelineDeps } from '../pipeline/work/pipeline-deps.ts'
import { processDocument, processRecognised } from '../pipeline/work/process-document.ts'
import { processRows } from '../pipeline/work/process-rows.ts'
import { type Processors, runChunkJob } from '../pipeline/work/run-chunk-job.ts'
import type { JobListener } from '../queue/listener.ts'
import { DEAD_LETTERS, QUEUES, type QueueName } from '../queue/queues.ts'
import { type JobHandler, type Slots, startSlots } from '../queue/slots.ts'
import { runRedriveJob } from '../review/redrive.ts'
import { settleDeadLetter } from './settle-dead-letter.ts'

const PROCESSORS: Processors = { rows: processRows, document: processDocument }
const RECOGNISING: Processors = { rows: processRows, document: processRecognised }

/** Exactly one handler for every queue; a queue without one would not type-check. */
export function handlersOf(deps: PipelineDeps): Readonly<Record<QueueName | typeof DEAD_LETTERS, JobHandler>> {
  return {
    split: job => runSplitJob(deps, job),
    chunk: job => runChunkJob(deps, PROCESSORS, job),
    document: job => runChunkJob(deps, PROCESSORS, job),
    ocr: job => runChunkJob(deps, RECOGNISING, job),
    redrive: job => runRedriveJob(deps, job),
    [DEAD_LETTERS]: job => settleDeadLetter(deps, job)
  }
}

/** Starts the slots of every queue. */
export function startQueues(deps: PipelineDeps, listener: JobListener, config: Config): Slots[] {
  const counts: Record<QueueName | typeof DEAD_LETTERS, number> = {
    split: 2,
    chunk: config.chunk.slots,
    document: config.document.slots,
    ocr: config.ocr.slots,
    redrive: 1,
    [DEAD_LETTERS]: 1
  }
  const handlers = handlersOf(deps)
  const { boss, logger } = deps
  return [...QUEUES, DEAD_LETTERS].map(queue =>
    startSlots({
      boss,
      listener,
      logger,
      queue: queue as QueueName,
      slots: counts[queue as QueueName],
      heartbeatSeconds: config.heartbeatSeconds,
      handler: handlers[queue as QueueName]
    })
  )
}
