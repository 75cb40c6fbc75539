import type { ChunkWork } from '../../db/work/chunks.ts'
import type { Draft } from './judge-candidates.ts'
import type { PipelineDeps } from './pipeline-deps.ts'

/** Adds what registries know to the drafts of a chunk. */
export async function enrichDrafts(
  _deps: PipelineDeps,
  _chunk: ChunkWork,
  drafts: readonly Draft[],
  _signal: AbortSignal
): Promise<readonly Draft[]> {
  return drafts
}
