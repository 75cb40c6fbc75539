import { getFileFormats } from '../../db/reads/record-reads.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import type { ColumnEvidence, ColumnProof } from '../../profiles/tabular/source-options.ts'
import { type FileReading, fromStored, readingOf } from '../split/file-format.ts'
import type { ReadDeps } from '../work/pipeline-deps.ts'
import type { Corrections } from './read-corrections.ts'

/**
 * What the columns of both files prove. Where they contradict each other, as after a spreadsheet of another country, neither
 * holds: a cell that was typed since and one that was left alone cannot be told apart.
 */
function merged(first: ColumnEvidence, second: ColumnEvidence): ColumnEvidence {
  const seconds = new Map(second.columns.map(column => [column.name, column]))
  const known = new Set(first.columns.map(column => column.name))
  const both = first.columns.map(column => agreed(column, seconds.get(column.name)))
  return { ...second, ...first, columns: [...both, ...second.columns.filter(({ name }) => !known.has(name))] }
}

function agreed(first: ColumnProof, second: ColumnProof | undefined): ColumnProof {
  if (second === undefined) return first
  const { dateOrder, decimal, ...rest } = { ...second, ...first }
  return {
    ...rest,
    ...(dateOrder === undefined || isContrary(dateOrder, second.dateOrder) ? {} : { dateOrder }),
    ...(decimal === undefined || isContrary(decimal, second.decimal) ? {} : { decimal })
  }
}

const isContrary = (one: string, other: string | undefined): boolean => other !== undefined && one !== other

/**
 * What each row is read under, by its number: rows of an errors file are few, so that what the whole columns of the file
 * proved that they first stood in still holds for them, and so does the saved mapping it was read with.
 */
export async function readingOfRows(
  deps: ReadDeps,
  chunk: ChunkWork,
  own: FileReading,
  corrections: Corrections
): Promise<(item: number) => FileReading> {
  const fileIds = [...new Set(corrections.fileOf.values())]
  const formats = fileIds.length === 0 ? new Map() : await getFileFormats(deps.pool, [chunk.jurisdiction], fileIds)
  const byFile = new Map<string, FileReading>()
  for (const [id, format] of formats) {
    if (format === null) continue
    const first = readingOf(fromStored(format))
    byFile.set(id, { ...own, ...first, evidence: merged(first.evidence, own.evidence) })
  }
  return item => byFile.get(corrections.fileOf.get(item) ?? '') ?? own
}
