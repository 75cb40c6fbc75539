import { PgBoss } from 'pg-boss'
import { errorFields, type Logger } from '../logger.ts'
import { createQueueDatabase } from './named-statements.ts'
import { DEAD_LETTERS, QUEUES, queueOptions } from './queues.ts'

export type Boss = PgBoss

export interface BossOptions {
  readonly url: string
  /** `worker` also supervises: it returns jobs whose worker died; the others only enqueue and settle. */
  readonly role: 'api' | 'worker' | 'thread'
  readonly heartbeatSeconds: number
  readonly logger: Logger
}

/**
 * Starts pg-boss on its own small pool and makes sure that every queue exists with its options. Hot queues have tables of
 * their own: on the shared one stale statistics slow fetching many times over.
 */
export async function createBoss(options: BossOptions): Promise<Boss> {
  const works = options.role === 'worker'
  const db = createQueueDatabase(options.url, `docket-${options.role}-queue`, options.logger)
  const boss = new PgBoss({
    db,
    supervise: works,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    registerInstance: false
  })
  boss.on('error', error => options.logger.error(errorFields(error), 'queue error'))
  boss.on('warning', warning => options.logger.warn({ reason: warning.message }, 'queue warning'))
  boss.once('stopped', () => void db.close().catch(() => undefined))
  await boss.start()
  await ensureQueues(boss, options.heartbeatSeconds)
  return boss
}

async function ensureQueues(boss: Boss, heartbeatSeconds: number): Promise<void> {
  const settings = queueOptions(heartbeatSeconds)
  const { policy, ...changeable } = settings
  const names = new Set((await boss.getQueues()).map(queue => queue.name))
  const dead = { ...changeable, retryLimit: 1000 }
  if (names.has(DEAD_LETTERS)) await boss.updateQueue(DEAD_LETTERS, dead)
  else await boss.createQueue(DEAD_LETTERS, { ...dead, policy })
  for (const name of QUEUES) {
    const wanted = { ...changeable, deadLetter: DEAD_LETTERS }
    if (names.has(name)) await boss.updateQueue(name, wanted)
    else await boss.createQueue(name, { ...wanted, policy, partition: true })
  }
}
