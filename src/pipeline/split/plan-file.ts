import type { Json } from '../../model/json.ts'
import { type ChunkPlan, type FilePlan, wholeFile } from '../../model/plan.ts'
import type { RowFault } from '../../model/rows.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { UsedMapping } from '../../profiles/tabular/source-options.ts'
import { firstPosition } from '../../tabular/split-file.ts'
import { detectFile } from './detect-file.ts'
import { toStored } from './file-format.ts'
import { formatOf, type SplitProgress, splitRows } from './split-rows.ts'

/** The plan of a file that ends as one record with a reason. */
export function faultPlan(fault: RowFault, format: Json = null): FilePlan {
  return { format, chunks: [wholeFile('fault', fault)], final: true, progress: null }
}

export interface SmallFile {
  readonly profile: Profile
  readonly mediaType: string
  readonly bytes: Buffer
  /** The saved mapping of its source. */
  readonly source?: UsedMapping | null
  /** The encoding declared with the submission. */
  readonly encoding: string | null
  readonly bounds: { readonly records: number; readonly bytes: number; readonly recordBytes: number }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Splits a whole small data file in memory: what a split job does in steps, in one. */
export async function planFile(file: SmallFile): Promise<FilePlan> {
  const { profile, mediaType, bytes, source, encoding } = file
  const decision = detectFile(
    profile,
    { mediaType, bytes, whole: true, encoding, recordBytes: file.bounds.recordBytes },
    source?.options
  )
  if (!decision.ok) return faultPlan(decision.fault)
  const position = firstPosition(decision.format)
  let progress: SplitProgress = {
    tabular: decision.format,
    position,
    evidence: [],
    columns: null,
    ...(source ? { source } : {})
  }
  const chunks: ChunkPlan[] = []
  for await (const step of splitRows(file.profile, once(file.bytes.subarray(position.offset)), progress, file.bounds)) {
    chunks.push(step.plan)
    progress = step.progress
  }
  const format = toStored(formatOf(file.profile, progress))
  return chunks.length === 0
    ? faultPlan({ code: 'FILE_EMPTY' }, format)
    : { format, chunks, final: true, progress: null }
}
