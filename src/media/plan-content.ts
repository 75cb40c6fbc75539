import type { Json } from '../model/json.ts'
import { type ChunkPlan, type FilePlan, wholeFile } from '../model/plan.ts'
import type { RowFault } from '../model/rows.ts'
import { XLSX } from './binary.ts'
import { type DetectedMedia, detectMedia } from './detect-media.ts'

/** A data file up to this size is split as soon as it is there: one job less to wait for. */
export const SMALL_FILE_BYTES = 256_000

/** What is decided about a file before it becomes durable. Of an archive, what it holds is still to be found. */
export interface PlannedFile {
  readonly mediaType: string
  readonly kind: DetectedMedia['kind']
  readonly state: 'received' | 'splitting' | 'split'
  readonly format: Json
  readonly progress: Json
  readonly chunks: readonly ChunkPlan[]
}

export interface Content {
  readonly filename: string
  readonly declaredType: string | null
  readonly size: number
  /** The first bytes, `SMALL_FILE_BYTES` or all of them. */
  readonly head: Buffer
}

export interface ContentReader {
  /** Whether text without columns is a document of the profile. */
  readonly takesDocuments: boolean
  /** Splits a small data file, all of which is in `head`. */
  readonly split: (mediaType: string) => Promise<FilePlan>
  /** Told when that failed. Such a file fails again in its own job, where launches are counted and the file is held. */
  readonly onSplitFailure: (error: unknown) => void
}

/** The plan of a file that ends as one record with a reason. */
export const planFault = (mediaType: string, kind: DetectedMedia['kind'], fault: RowFault): PlannedFile => ({
  mediaType,
  kind,
  state: 'split',
  format: null,
  progress: null,
  chunks: [wholeFile('fault', fault)]
})

/** What to send in place of a type that is told but not read. */
const SEND_INSTEAD: Readonly<Record<string, string>> = {
  'application/vnd.ms-excel': 'a workbook of Excel 97–2003; save it as .xlsx or CSV',
  'application/vnd.oasis.opendocument.spreadsheet': 'an OpenDocument sheet; save it as .xlsx or CSV',
  'application/msword': 'a document of Word 97–2003; save it as .docx or PDF',
  'application/rtf': 'a rich text document; save it as .docx or PDF',
  'application/vnd.oasis.opendocument.text': 'an OpenDocument text; save it as .docx or PDF',
  'image/heic': 'a HEIC picture; save it as JPEG or PDF',
  'image/webp': 'a WebP picture; save it as JPEG, PNG or PDF',
  'image/gif': 'a GIF picture; save it as PNG or PDF'
}

const unsplit = (mediaType: string, kind: 'data' | 'archive'): PlannedFile => ({
  mediaType,
  kind,
  state: 'received',
  format: null,
  progress: null,
  chunks: []
})

async function planData(content: Content, mediaType: string, reader: ContentReader): Promise<PlannedFile> {
  // A workbook is a compressed archive: it is opened only where a crash or a bomb costs no request.
  if (content.size > SMALL_FILE_BYTES || mediaType === XLSX) return unsplit(mediaType, 'data')
  try {
    const { format, progress, chunks, final } = await reader.split(mediaType)
    if (final && chunks.length === 0) return planFault(mediaType, 'data', { code: 'FILE_EMPTY' })
    return { mediaType, kind: 'data', state: final ? 'split' : 'splitting', format, progress, chunks }
  } catch (error) {
    reader.onSplitFailure(error)
    return unsplit(mediaType, 'data')
  }
}

function faultOf(media: DetectedMedia, kind: DetectedMedia['kind']): RowFault | undefined {
  if (media.encrypted) return { code: 'FILE_ENCRYPTED' }
  if (media.remnant) return { code: 'FILE_CORRUPT' }
  if (!media.mismatch && kind !== 'unsupported') return undefined
  const code = media.mismatch ? 'FILE_TYPE_MISMATCH' : 'FILE_TYPE_UNSUPPORTED'
  const detail = SEND_INSTEAD[media.mediaType]
  return detail === undefined ? { code } : { code, detail }
}

/**
 * Decides what a file is and, for a small data file, its chunks. An empty file, one of a type that is not read and one
 * that is not what its name says are planned as one fault: they end as a record with that reason.
 */
export async function planContent(content: Content, reader: ContentReader): Promise<PlannedFile> {
  const { filename, declaredType, size, head } = content
  if (size === 0) return planFault(declaredType ?? 'application/octet-stream', 'unsupported', { code: 'FILE_EMPTY' })
  const media = detectMedia(head, filename, declaredType ?? undefined)
  const { mediaType } = media
  // Text in which nothing stands in columns is a document of a profile that takes documents.
  const kind = reader.takesDocuments && mediaType === 'text/plain' ? 'document' : media.kind
  const fault = faultOf(media, kind)
  if (fault !== undefined) return planFault(mediaType, kind, fault)
  if (kind === 'data') return planData(content, mediaType, reader)
  if (kind === 'archive') return unsplit(mediaType, kind)
  return { mediaType, kind, state: 'split', format: null, progress: null, chunks: [wholeFile('document', null)] }
}
