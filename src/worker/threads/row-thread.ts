import { parentPort, workerData } from 'node:worker_threads'
import { onPoolWait } from '../../db/pool.ts'
import { AppError, codeOf } from '../../errors.ts'
import { createLogger, stackFrames } from '../../logger.ts'
import type { PipelineDeps } from '../../pipeline/work/pipeline-deps.ts'
import { processRows } from '../../pipeline/work/process-rows.ts'
import { type Processors, runChunkJob } from '../../pipeline/work/run-chunk-job.ts'
import { STOPPED } from '../../queue/slots.ts'
import { createStepDeps } from '../step-deps.ts'
import type { FromThread, SentError, SentJob, ToThread } from './messages.ts'
import type { RowThreadOptions } from './row-threads.ts'

const PROCESSORS: Processors<PipelineDeps> = {
  rows: processRows,
  document: () => Promise.reject(new AppError('INTERNAL', 'A document came to a thread that reads rows.'))
}

const errorOf = (error: unknown): SentError => ({
  code: codeOf(error),
  name: error instanceof Error ? error.name : typeof error,
  stack: error instanceof Error ? stackFrames(error) : ''
})

const answer = (message: FromThread): void => parentPort?.postMessage(message, [])

const { config, workerId, tempFolder, slots, places } = workerData as RowThreadOptions
const deps = await createStepDeps(config, {
  logger: createLogger({ component: 'worker', level: config.logLevel }),
  workerId,
  tempFolder,
  connections: slots + 1,
  supervises: false,
  places,
  onRegistry: news => answer({ kind: 'registry', news })
})
onPoolWait(deps.pool, waitedSeconds => {
  const { totalCount, idleCount, waitingCount } = deps.pool
  answer({ kind: 'pool', waitedSeconds, counts: { totalCount, idleCount, waitingCount } })
})
const inHand = new Map<number, AbortController>()

async function run(number: number, job: SentJob): Promise<void> {
  const abort = new AbortController()
  inHand.set(number, abort)
  try {
    await runChunkJob(deps, PROCESSORS, { ...job, signal: abort.signal })
    answer({ kind: 'settled', number })
  } catch (error) {
    answer({ kind: 'failed', number, error: errorOf(error) })
  } finally {
    inHand.delete(number)
  }
}

async function close(): Promise<void> {
  await deps.boss.stop({ graceful: false })
  await deps.pool.end()
  parentPort?.close()
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'run') void run(message.number, message.job)
  else if (message.kind === 'abort') inHand.get(message.number)?.abort(message.stopped ? STOPPED : undefined)
  else if (message.kind === 'ping') answer({ kind: 'alive' })
  else void close()
})
answer({ kind: 'ready' })
