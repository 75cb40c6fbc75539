import type { AuditEntry } from './append-entries.ts'

/** A file as its first entry tells of it. */
export interface FileReceived {
  readonly id: string
  readonly sha256: Buffer
  readonly size: number
  /** `split` when its chunks were found as it was received. */
  readonly state: string
  /** The archive that it was found in. */
  readonly archiveId?: string | null
  /** What it was split with. */
  readonly mapping?: { readonly mapping?: number; readonly mapping_sha256?: string }
}

/** The entry that opens the chain of a file, however it came. */
export const receivedFileEntry = (file: FileReceived): AuditEntry => ({
  subjectId: file.id,
  kind: 'file',
  seq: 1,
  previous: null,
  detail: {
    sha256: file.sha256.toString('hex'),
    bytes: file.size,
    ...(file.archiveId ? { archive: file.archiveId } : {}),
    ...file.mapping
  },
  transitions:
    file.state === 'split'
      ? [
          ['received', 0],
          ['chunked', 0]
        ]
      : [['received', 0]]
})
