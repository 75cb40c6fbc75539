import { crashPoint } from '../../crash-points.ts'
import { type DueDelivery, listDueDeliveries, noteDelivered, noteUndelivered } from '../../db/log/deliveries.ts'
import type { Pool } from '../../db/pool.ts'
import { AppError, codeOf } from '../../errors.ts'
import { errorFields, type Logger } from '../../logger.ts'
import { putCheckpoint } from './put-checkpoint.ts'
import { putObject, type S3Settings } from './s3/put-object.ts'
import { writeCheckpointFile } from './write-checkpoint.ts'

/** Deliveries of one round, so that a destination that does not answer does not keep the others for long. */
const ROUND = 200
const AT_ONCE = 8

export interface PublishDeps {
  readonly pool: Pool
  /** `file:/folder`, addresses, of which those with a name and password in them are sent as HTTP Basic, or `s3://bucket`. */
  readonly destinations: readonly string[]
  /** The object store of `s3:` destinations. */
  readonly s3?: S3Settings | undefined
  readonly logger: Logger
}

/** A destination as it is stored and told of: without name and password. */
export function publicName(destination: string): string {
  if (/^(?:file|s3):/.test(destination)) return destination
  const url = new URL(destination)
  url.username = ''
  url.password = ''
  return url.href
}

async function toStore({ s3 }: PublishDeps, destination: string, due: DueDelivery): Promise<void> {
  if (!s3) throw new AppError('CONFIG_INVALID', 'There is no object store for s3: in DOCKET_CHECKPOINTS.')
  await putObject(s3, destination, due)
}

async function deliver(deps: PublishDeps, destination: string, due: DueDelivery): Promise<boolean> {
  const { jurisdiction } = due
  try {
    if (destination.startsWith('file:')) await writeCheckpointFile(destination.slice('file:'.length), due)
    else if (destination.startsWith('s3:')) await toStore(deps, destination, due)
    else await putCheckpoint(destination, due)
    await noteDelivered(deps.pool, due)
    crashPoint('publish.noted')
    return true
  } catch (error) {
    const code = error instanceof AppError ? codeOf(error) : String(errorFields(error)['code'])
    await noteUndelivered(deps.pool, due, code)
    deps.logger.warn({ operation: 'publish-checkpoints', jurisdiction, code }, 'a checkpoint was not delivered')
    return false
  }
}

/**
 * Brings the newest checkpoint of every jurisdiction to every destination that lacks it; what fails is tried again later
 * and stands in the log. Answers how many arrived. Safe in any number of processes: a checkpoint is the same twice.
 */
export async function publishCheckpoints(deps: PublishDeps): Promise<number> {
  const byName = new Map(deps.destinations.map(one => [publicName(one), one]))
  if (byName.size === 0) return 0
  const due = await listDueDeliveries(deps.pool, [...byName.keys()], ROUND)
  let arrived = 0
  for (let i = 0; i < due.length; i += AT_ONCE) {
    const some = due.slice(i, i + AT_ONCE)
    const done = await Promise.all(some.map(one => deliver(deps, byName.get(one.destination) ?? '', one)))
    arrived += done.filter(Boolean).length
  }
  return arrived
}
