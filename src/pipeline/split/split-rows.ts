import type { ChunkPlan } from '../../model/plan.ts'
import type { RawRow } from '../../model/rows.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type EvidenceState, gatherEvidence } from '../../profiles/tabular/column-evidence.ts'
import { helpOf } from '../../profiles/tabular/row-plan.ts'
import type { UsedMapping } from '../../profiles/tabular/source-options.ts'
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
  /** The saved mapping it is read with, from its first row to its last whatever is saved meanwhile. */
  readonly source?: UsedMapping
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
  fault: null,
  digest: bounds.digest
})

/** Cuts a data file into chunk plans from where `progress` stands, gathering what its columns prove on the way. */
export async function* splitRows(
  profile: Profile,
  source: AsyncIterable<Uint8Array>,
  progress: SplitProgress,
  bounds: { readonly records: number; readonly bytes: number }
): AsyncGenerator<SplitStep> {
  const { tabular } = progress
  const overrides = progress.source?.options.columns
  const evidence = gatherEvidence(profile, overrides, progress.evidence)
  let columns = progress.columns
  const onRow = (row: RawRow): void => {
    if (columns === null && row.fault === undefined)
      columns = usualColumns(profile, row.names, helpOf({ source: progress.source?.options }))
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
  const { source, tabular } = progress
  const evidence = gatherEvidence(profile, source?.options.columns, progress.evidence).result()
  const help = helpOf({ source: source?.options, evidence })
  // Only now is known what columns hold whose names alone do not say it.
  const columns = tabular.kind === 'delimited' ? usualColumns(profile, tabular.columns, help) : (progress.columns ?? {})
  return {
    tabular: settledFormat(tabular, progress.position),
    ...(progress.unpacked === undefined ? {} : { unpacked: progress.unpacked }),
    evidence,
    columns,
    ...(source === undefined ? {} : { source })
  }
}
