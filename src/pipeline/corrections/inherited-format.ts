import { getFileFormats } from '../../db/reads/record-reads.ts'
import { selectNamedRecords } from '../../db/review/corrections.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import type { DelimitedFormat } from '../../tabular/format.ts'
import { decodeSingleByte, type Encoding, unitBytes } from '../../tabular/text/encodings.ts'
import { encodeText } from '../../tabular/write/encode-text.ts'
import { type FileFormat, fromStored } from '../split/file-format.ts'
import type { ReadDeps } from '../work/pipeline-deps.ts'
import { factsOf } from './file-facts.ts'
import { isErrorsFile } from './own-columns.ts'

/** Whether an encoding was told by what its words look like, which few words tell badly. */
const isGuessed = (format: DelimitedFormat): boolean => /^(?:words|undecided)/.test(String(format.evidence['encoding']))

const isSingleByte = (encoding: Encoding): boolean =>
  unitBytes(encoding) === 1 && encoding !== 'utf-8' && encoding !== 'ascii'

/** The encoding of the file that the first record came from which this file names; null when it tells nothing. */
async function parentEncoding(deps: ReadDeps, chunk: ChunkWork, format: DelimitedFormat): Promise<Encoding | null> {
  const { first } = await factsOf(deps, chunk, format)
  const found = await selectNamedRecords(deps.pool, chunk.jurisdiction, first)
  const record = first.map(id => found.get(id)).find(one => one !== undefined)
  if (record === undefined) return null
  const formats = await getFileFormats(deps.pool, [chunk.jurisdiction], [record.fileId])
  const stored = formats.get(record.fileId) ?? null
  if (stored === null) return null
  const { tabular } = fromStored(stored)
  return tabular.kind === 'delimited' && isSingleByte(tabular.encoding) ? tabular.encoding : null
}

/**
 * How an errors file that came back is read: where its encoding could only be told by its words, in that of the file it
 * came from, which had all of them. Rows and their places are the same in every encoding of single bytes.
 */
export async function inheritedFormat(deps: ReadDeps, chunk: ChunkWork, format: FileFormat): Promise<FileFormat> {
  const { tabular } = format
  if (tabular.kind !== 'delimited' || !isErrorsFile(tabular.columns) || !isGuessed(tabular)) return format
  const encoding = await parentEncoding(deps, chunk, tabular)
  if (encoding === null || encoding === tabular.encoding) return format
  const columns = tabular.columns.map(name => decodeSingleByte(encodeText(name, tabular.encoding), encoding))
  return { ...format, tabular: { ...tabular, encoding, columns } }
}
