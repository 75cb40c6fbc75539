import type { ExpectedRecord, SampleFile } from '../manifest.ts'

/** What must become of a document. */
export type DocumentFate = Omit<ExpectedRecord, 'file' | 'row'>

/** A document is one record of its own. */
export function documentFile(path: string, content: Buffer, fate: DocumentFate): SampleFile {
  return { path, content, rows: 1, records: [{ file: path, ...fate }] }
}
