import { type AwaitedChunk, type AwaitedState, listAwaitingFields } from '../../db/registries/awaited-work.ts'
import { type ChunkWork, readChunkIn } from '../../db/work/chunks.ts'
import { AppError, PAYLOAD_FAULTS } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { type EnrichDeps, wantedOf } from '../enrich/enrich-drafts.ts'
import type { Wanted } from '../enrich/resolve.ts'
import { findMapping, withMapping } from '../split/source-mapping.ts'
import type { Draft } from '../work/judge-candidates.ts'
import type { ReadDeps } from '../work/pipeline-deps.ts'
import { prepareRows } from '../work/process-rows.ts'
import { profileOf } from '../work/profile-of.ts'

export type KeysDeps = EnrichDeps & ReadDeps & { readonly logger: Logger }

/** A chunk whose keys are to be looked up. */
export interface Awaited extends AwaitedChunk {
  readonly jurisdiction: string
  readonly state: AwaitedState
}

/** The records of a document that wait, with the values that were found in it: it is not read again for this. */
async function waitingDrafts(deps: KeysDeps, chunk: ChunkWork): Promise<Draft[]> {
  const waiting = await listAwaitingFields(deps.pool, chunk.jurisdiction, chunk.id)
  return waiting.map(({ item, fields }) => ({
    item,
    line: null,
    idempotencyKey: '',
    diagnostic: null,
    candidate: { fields, extra: {}, reasons: [] }
  }))
}

async function draftsOf(deps: KeysDeps, chunk: ChunkWork, state: AwaitedState): Promise<readonly Draft[]> {
  if (chunk.kind === 'document') return waitingDrafts(deps, chunk)
  if (chunk.kind === 'fault' || chunk.format === null) return []
  if (state === 'pending') return (await prepareRows(deps, chunk)).drafts
  // Held records run again under the mapping that their source has by now.
  const mapping = await findMapping(deps.pool, profileOf(deps, chunk.profile), chunk)
  return (await prepareRows(deps, { ...chunk, format: withMapping(chunk.format, mapping) })).drafts
}

/**
 * The keys that registries will be asked for when a chunk is worked; none of a chunk that somebody has worked meanwhile,
 * or whose bytes are damaged, which its work finds out. Changes nothing. Throws faults of our own infrastructure.
 */
export async function wantedKeys(deps: KeysDeps, { id, jurisdiction, state }: Awaited): Promise<Wanted> {
  const chunk = await readChunkIn(deps.pool, state === 'held' ? 'committed' : 'pending', jurisdiction, id)
  if (!chunk) return {}
  try {
    return await wantedOf(deps, chunk, await draftsOf(deps, chunk, state))
  } catch (error) {
    if (!(error instanceof AppError) || !PAYLOAD_FAULTS.has(error.code)) throw error
    deps.logger.warn({ chunk_id: id, jurisdiction, code: error.code }, 'keys of a chunk are not looked up ahead')
    return {}
  }
}
