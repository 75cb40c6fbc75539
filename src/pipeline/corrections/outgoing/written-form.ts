import { buffer } from 'node:stream/consumers'
import type { HeldFile } from '../../../db/review/held-rows.ts'
import type { PayloadStore } from '../../../storage/payload-store.ts'
import type { DelimitedFormat } from '../../../tabular/format.ts'
import { Block, CR, LF } from '../../../tabular/text/block.ts'
import { unitBytes } from '../../../tabular/text/encodings.ts'
import type { WrittenForm } from '../../../tabular/write/delimited-writer.ts'
import { fromStored, rowsUri } from '../../split/file-format.ts'

/** For records that came in no delimited file. */
const USUAL: WrittenForm = {
  encoding: 'utf-8',
  dialect: { delimiter: ',', quote: '"', escape: 'double' },
  lineEnd: '\r\n',
  bom: false
}

/** How the line of the header ends, which stands before the first byte of data. */
async function lineEndOf(
  store: PayloadStore,
  file: HeldFile,
  format: DelimitedFormat
): Promise<WrittenForm['lineEnd']> {
  const unit = unitBytes(format.encoding)
  if (format.headerLine === null || format.dataOffset < 2 * unit) return '\r\n'
  const uri = rowsUri(file.format === null ? null : fromStored(file.format), file.payloadUri)
  const range = { start: format.dataOffset - 2 * unit, end: format.dataOffset - 1 }
  const { codes } = new Block(await buffer(await store.open(uri, range)), format.encoding, true)
  if (codes[1] === CR) return '\r'
  return codes[1] === LF && codes[0] !== CR ? '\n' : '\r\n'
}

/** How a file's errors file is written: as the file itself is, or as plain CSV. */
export async function writtenForm(store: PayloadStore, file: HeldFile | undefined): Promise<WrittenForm> {
  if (!file?.hasRows || file.format === null) return USUAL
  const { tabular } = fromStored(file.format)
  if (tabular.kind !== 'delimited') return USUAL
  const { encoding, dialect } = tabular
  // Few rows of a wide encoding are known by their mark alone.
  const bom = tabular.evidence['encoding'] === 'bom' || unitBytes(encoding) > 1
  return { encoding, dialect, lineEnd: await lineEndOf(store, file, tabular), bom }
}
