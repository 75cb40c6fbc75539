import type { ChunkPlan } from '../../model/plan.ts'
import type { RawRow } from '../../model/rows.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type EvidenceState, gatherEvidence } from '../../profiles/tabular/column-evidence.ts'
import type { ChunkBounds, SplitPosition, TabularFormat } from '../../tabular/format.ts'
import { settledFormat, splitFile } from '../../tabular/split-file.ts'
import { type FileFormat, type Unpacked, usualColumns } from './file-format.ts'

/** Everything a split has to know to go on where another one stopped. Plain data. */
export interface SplitProgress {
  readonly tabular: TabularFormat
  readonly unpacked?: Unpacked
  readonly position: SplitPosition
  readonly evidence: EvidenceState
  readonly columns: Readonly<Record<string, string>> | null
}

export interface SplitStep {
  readonly plan: ChunkPlan
  readonly ordinal: number
  readonly progress: SplitProgress
}

const planOf = (bounds: ChunkBounds): ChunkPlan => ({
  kind: 'rows',
  byteStart: bounds.byteStart,
  byteEnd: bounds.byteEnd,
  firstItem: bounds.firstRow,
  firstLine: bounds.firstLine,
  records: bounds.records,
  fault: null
})

/** Cuts a data file into chunk plans from where `progress` stands, gathering what its columns prove on the way. */
export async function* splitRows(
  profile: Profile,
  source: AsyncIterable<Uint8Array>,
  progress: SplitProgress,
  bounds: { readonly records: number; readonly bytes: number }
): AsyncGenerator<SplitStep> {
  const { tabular } = progress
  const evidence = gatherEvidence(profile, undefined, progress.evidence)
  let columns = progress.columns
  const onRow = (row: RawRow): void => {
    if (columns === null && row.fault === undefined) columns = usualColumns(profile, row.names)
    evidence.add(row)
  }
  for await (const chunk of splitFile(source, tabular, progress.position, { bounds, onRow })) {
    yield {
      plan: planOf(chunk),
      ordinal: chunk.ordinal,
      progress: { ...progress, position: chunk.next, evidence: evidence.state(), columns }
    }
  }
}

/** What is stored with the file once all of it was seen. */
export function formatOf(profile: Profile, progress: SplitProgress): FileFormat {
  return {
    tabular: settledFormat(progress.tabular, progress.position),
    ...(progress.unpacked === undefined ? {} : { unpacked: progress.unpacked }),
    evidence: gatherEvidence(profile, undefined, progress.evidence).result(),
    columns: progress.columns ?? {}
  }
}
