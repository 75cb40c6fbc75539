import type { ChunkWork } from '../../db/work/chunks.ts'
import type { RawRow } from '../../model/rows.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'
import { type FileFormat, type FileReading, fromStored, readingOf } from '../split/file-format.ts'
import type { PipelineDeps, ReadDeps } from '../work/pipeline-deps.ts'
import { applyCorrections } from './claim-corrections.ts'
import { isErrorsFile } from './own-columns.ts'
import { readCorrections } from './read-corrections.ts'
import { readingOfRows } from './reading-of-rows.ts'

export interface RowsToRead {
  /** The rows as they are to be read. */
  readonly rows: readonly RawRow[]
  /** What a row is read under, by its number. */
  readonly readingOf: (item: number) => FileReading
  /** What is to be done with the judged records before their commit. */
  readonly finish: (deps: PipelineDeps, records: readonly JudgedRecord[]) => Promise<readonly JudgedRecord[]>
}

/** Whether rows of a chunk may settle held records: of an errors file that came back, or of JSON, where any record may. */
export function mayCorrect(chunk: Pick<ChunkWork, 'format'>): boolean {
  if (chunk.format === null) return false
  const { tabular } = fromStored(chunk.format)
  // One that was saved as a workbook settles what it names all the same.
  return tabular.kind === 'json' || isErrorsFile(tabular.columns)
}

/** Whether any of these rows has a place for the record it settles. */
function namesAny(rows: readonly RawRow[]): boolean {
  let last: readonly string[] | undefined
  return rows.some(({ names }) => {
    // Rows alike share their names.
    const isNew = names !== last
    last = names
    return isNew && isErrorsFile(names)
  })
}

/** The rows of a chunk as they are; those of an errors file that came back as their source would have them. */
export async function rowsToRead(
  deps: ReadDeps,
  chunk: ChunkWork,
  format: FileFormat,
  sent: readonly RawRow[]
): Promise<RowsToRead> {
  const { tabular } = format
  const reading = readingOf(format)
  if (!mayCorrect(chunk) || (tabular.kind === 'json' && !namesAny(sent))) {
    return { rows: sent, readingOf: () => reading, finish: async (_, records) => records }
  }
  const corrections = await readCorrections(deps, chunk, tabular, sent)
  return {
    rows: corrections.rows,
    readingOf: await readingOfRows(deps, chunk, reading, corrections),
    finish: (committing, records) => applyCorrections(committing, chunk, corrections, records)
  }
}
