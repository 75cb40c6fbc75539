import type { ChunkWork } from '../../db/work/chunks.ts'
import type { ChunkPlan } from '../../model/plan.ts'
import type { ChunkBounds } from '../../tabular/format.ts'
import { splitFile } from '../../tabular/split-file.ts'
import { fromStored } from '../split/file-format.ts'
import { withChunkBytes } from '../work/payload-bytes.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'

const planOf = (half: ChunkBounds): ChunkPlan => ({
  kind: 'rows',
  byteStart: half.byteStart,
  byteEnd: half.byteEnd,
  firstItem: half.firstRow,
  firstLine: half.firstLine,
  records: half.records,
  fault: null,
  digest: half.digest
})

/** The two halves of a chunk of rows, by number of records; none when it cannot be cut without losing count. */
export async function halvesOf(deps: PipelineDeps, chunk: ChunkWork): Promise<ChunkPlan[]> {
  if (chunk.format === null) return []
  const { tabular } = fromStored(chunk.format)
  const from = {
    offset: chunk.byteStart ?? 0,
    row: chunk.firstItem,
    line: chunk.firstLine ?? 1,
    ordinal: chunk.ordinal,
    done: false
  }
  const bounds = { records: Math.ceil(chunk.records / 2), bytes: Number.MAX_SAFE_INTEGER }
  const plans = await withChunkBytes(deps.store, chunk, async bytes => {
    const found: ChunkPlan[] = []
    for await (const half of splitFile(bytes, tabular, from, { bounds })) found.push(planOf(half))
    return found
  })
  const found = plans.reduce((sum, plan) => sum + plan.records, 0)
  return plans.length >= 2 && found === chunk.records ? plans : []
}
