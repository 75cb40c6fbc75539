import type { Config } from '../../config.ts'
import type { Pause } from '../../db/operations/pauses.ts'
import type { LogLag, MissingDelivery, Stuck } from '../../db/operations/stuck-work.ts'
import type { FailingRow } from '../../db/registries/statuses.ts'
import type { QueueHealth } from '../../queue/queue-health.ts'
import { DEAD_LETTERS, QUEUES, YEAR_SECONDS } from '../../queue/queues.ts'
import { countFinding, type Finding, type FindingCode, finding } from './findings.ts'

/** What is known of the work. */
export interface WorkState extends QueueHealth {
  readonly workers: number
  /** Age of the oldest waiting job that is neither held back nor maintenance. */
  readonly oldestSeconds: number
  readonly chunksWithoutJob: readonly Stuck[]
  readonly retriesWithoutJob: readonly Stuck[]
  readonly unclosed: readonly Stuck[]
  readonly slowSplits: readonly Stuck[]
  readonly forgotten: readonly Stuck[]
  readonly sealLags: readonly LogLag[]
  readonly undelivered: readonly MissingDelivery[]
  readonly registries: readonly FailingRow[]
  readonly pauses: readonly Pause[]
}

function queues(state: WorkState, config: Config): Finding[] {
  const found: Finding[] = []
  const missing = [...QUEUES, DEAD_LETTERS].filter(name => !state.queues.some(queue => queue.name === name))
  if (missing.length > 0) found.push(finding('QUEUE_MISSING', `There is no queue ${missing.join(', ')}.`))
  const short = state.queues.filter(queue => queue.retentionSeconds < YEAR_SECONDS).map(queue => queue.name)
  if (short.length > 0) {
    found.push(finding('QUEUE_RETENTION_SHORT', `Jobs are kept for less than a year in ${short.join(', ')}.`))
  }
  if (state.workers === 0) found.push(finding('WORKER_MISSING', 'No worker has given a sign of life for a minute.'))
  const { queueAgeSeconds } = config.limits
  if (state.oldestSeconds > queueAgeSeconds) {
    found.push(finding('QUEUE_LATE', `The oldest job has waited for ${Math.floor(state.oldestSeconds)} seconds.`))
  }
  const tell = (code: FindingCode, count: number, message: string): void => {
    if (count > 0) found.push(finding(code, `${count} ${message}`))
  }
  tell('LEASE_EXPIRED', state.expired, 'jobs are in the hands of workers that give no sign of life.')
  tell('JOBS_FAILING', state.failing, 'jobs have failed three times or more and are tried again.')
  tell('DEAD_LETTERS_WAITING', state.deadLetters, 'jobs failed in all their attempts and are not settled.')
  return found
}

function log(state: WorkState): Finding[] {
  const found = state.sealLags.map(({ jurisdiction, seconds }) =>
    finding(
      'LOG_NOT_SEALED',
      `The audit log of ${jurisdiction} has not been sealed for ${Math.floor(seconds)} seconds.`
    )
  )
  const places = [...new Set(state.undelivered.map(one => one.place))]
  return [
    ...found,
    ...places.map(place => {
      const of = state.undelivered.filter(one => one.place === place).map(one => one.jurisdiction)
      const message = `Place ${place} of DOCKET_CHECKPOINTS lacks the newest checkpoint of ${of.length} jurisdictions.`
      return finding('CHECKPOINT_UNDELIVERED', message, of)
    })
  ]
}

function registries(state: WorkState): Finding[] {
  return state.registries.flatMap(({ jurisdiction, kind, isOpen, failures, needsOperator }) => {
    if (needsOperator) return [finding('REGISTRY_ALERT', `The registry ${kind} of ${jurisdiction} has to be mended.`)]
    const message = `The registry ${kind} of ${jurisdiction} is left alone after ${failures} failed calls.`
    return isOpen ? [finding('BREAKER_OPEN', message)] : []
  })
}

/** What stands still, and what is held back. */
export function judgeWork(state: WorkState, config: Config): Finding[] {
  return [
    ...queues(state, config),
    ...countFinding('CHUNK_WITHOUT_JOB', state.chunksWithoutJob, 'pending chunks have no job.'),
    ...countFinding(
      'RETRY_WITHOUT_JOB',
      state.retriesWithoutJob,
      'chunks have records to run again and no job for it.'
    ),
    ...countFinding('BATCH_NOT_CLOSED', state.unclosed, 'batches have nothing left to do and are not ended.'),
    ...countFinding('FILE_SPLITTING_LONG', state.slowSplits, 'files have been taken apart for more than 15 minutes.'),
    ...countFinding(
      'RECORDS_FORGOTTEN',
      state.forgotten,
      'records wait for registries that answer, and do not run again.'
    ),
    ...log(state),
    ...registries(state),
    ...state.pauses.map(({ jurisdiction, lane, pausedAt, pausedBy }) =>
      finding(
        'WORK_PAUSED',
        `Lane ${lane ?? '*'} of ${jurisdiction ?? '*'} has been held back since ${pausedAt.toISOString()} by ${pausedBy}.`
      )
    )
  ]
}
