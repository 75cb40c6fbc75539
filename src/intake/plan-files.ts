import { buffer } from 'node:stream/consumers'
import type { FileKind } from '../db/files.ts'
import type { MappingRow } from '../db/work/source-mappings.ts'
import { errorFields } from '../logger.ts'
import { XLSX } from '../media/binary.ts'
import { detectMedia } from '../media/detect-media.ts'
import type { Json } from '../model/json.ts'
import type { ChunkPlan } from '../model/plan.ts'
import type { RowFault } from '../model/rows.ts'
import type { IntakeDeps, ReceivedFile } from './submission.ts'

/** A data file up to this size is split while it is received: one job less to wait for. */
const SMALL_FILE_BYTES = 256_000

/** What is decided about a received file before it becomes durable. */
export interface PlannedFile {
  readonly mediaType: string
  readonly kind: FileKind
  readonly state: 'received' | 'splitting' | 'split'
  readonly format: Json
  readonly progress: Json
  readonly chunks: readonly ChunkPlan[]
}

export interface PlanOptions {
  readonly profile: string
  readonly mapping: MappingRow | null
}

const single = (kind: 'document' | 'fault', fault: RowFault | null): ChunkPlan => ({
  kind,
  byteStart: null,
  byteEnd: null,
  firstItem: 0,
  firstLine: null,
  records: 1,
  fault
})

const faulty = (mediaType: string, kind: FileKind, code: RowFault['code'], detail?: string): PlannedFile => ({
  mediaType,
  kind,
  state: 'split',
  format: null,
  progress: null,
  chunks: [single('fault', detail === undefined ? { code } : { code, detail })]
})

/** What to send in place of a type that is told but not read. */
const SEND_INSTEAD: Readonly<Record<string, string>> = {
  'application/vnd.ms-excel': 'a workbook of Excel 97–2003; save it as .xlsx or CSV',
  'application/vnd.oasis.opendocument.spreadsheet': 'an OpenDocument sheet; save it as .xlsx or CSV'
}

const unsplit = (mediaType: string): PlannedFile => ({
  mediaType,
  kind: 'data',
  state: 'received',
  format: null,
  progress: null,
  chunks: []
})

async function planData(
  deps: IntakeDeps,
  options: PlanOptions,
  file: ReceivedFile,
  media: { readonly mediaType: string; readonly bytes: Buffer }
): Promise<PlannedFile> {
  // A workbook is a compressed archive: it is opened only where a crash or a bomb costs no request.
  if (file.size > SMALL_FILE_BYTES || media.mediaType === XLSX) return unsplit(media.mediaType)
  const { profile } = options
  try {
    const plan = await deps.planFile({
      profile,
      mapping: options.mapping,
      file: { filename: file.filename, mediaType: media.mediaType, size: file.size },
      bytes: media.bytes
    })
    if (plan.final && plan.chunks.length === 0) return faulty(media.mediaType, 'data', 'FILE_EMPTY')
    const { format, progress, chunks } = plan
    return {
      mediaType: media.mediaType,
      kind: 'data',
      state: plan.final ? 'split' : 'splitting',
      format,
      progress,
      chunks
    }
  } catch (error) {
    // A reader that fails on this file fails in a worker too, where launches are counted and the file is held.
    deps.logger.error(errorFields(error), 'a small file could not be split on arrival')
    return unsplit(media.mediaType)
  }
}

/**
 * Decides what a received file is and, for a small data file, its chunks. Reads at most 256 kB of it. An empty file, one
 * of a type that is not read and one that is not what its name says are planned as one fault: they end as a record with
 * that reason.
 */
export async function planFile(
  deps: IntakeDeps,
  options: PlanOptions,
  file: ReceivedFile,
  payloadUri: string
): Promise<PlannedFile> {
  if (file.size === 0) return faulty(file.declaredType ?? 'application/octet-stream', 'unsupported', 'FILE_EMPTY')
  const bytes = await buffer(await deps.store.open(payloadUri, { start: 0, end: SMALL_FILE_BYTES - 1 }))
  const takesDocuments = deps.profiles.get(options.profile)?.takesDocuments ?? false
  const media = detectMedia(bytes, file.filename, file.declaredType ?? undefined)
  const { mediaType } = media
  // Text in which nothing stands in columns is a document of a profile that takes documents.
  const kind = takesDocuments && mediaType === 'text/plain' ? 'document' : media.kind
  if (media.encrypted) return faulty(mediaType, kind, 'FILE_ENCRYPTED')
  if (media.remnant) return faulty(mediaType, kind, 'FILE_CORRUPT')
  if (media.mismatch) return faulty(mediaType, kind, 'FILE_TYPE_MISMATCH')
  if (kind === 'unsupported' || kind === 'archive')
    return faulty(mediaType, kind, 'FILE_TYPE_UNSUPPORTED', SEND_INSTEAD[mediaType])
  if (kind === 'data') return planData(deps, options, file, { mediaType, bytes })
  return { mediaType, kind, state: 'split', format: null, progress: null, chunks: [single('document', null)] }
}
