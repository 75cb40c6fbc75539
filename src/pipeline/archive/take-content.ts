import type { SplitWork } from '../../db/work/splits.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../logger.ts'
import { ArchiveFault } from '../../media/archive/archive-fault.ts'
import { openArchive } from '../../media/archive/open-archive.ts'
import { gunzip } from '../../media/archive/unfold.ts'
import { type PlannedFile, planContent, planFault } from '../../media/plan-content.ts'
import {
  type ArchiveProgress,
  archiveFormat,
  archiveToStored,
  firstArchiveProgress
} from '../../model/archive-progress.ts'
import type { RowFault } from '../../model/rows.ts'
import type { UsedMapping } from '../../profiles/tabular/source-options.ts'
import { takesDocuments } from '../../profiles/takes-documents.ts'
import { payloadKey } from '../../storage/payload-store.ts'
import { planFile } from '../split/plan-file.ts'
import { findMapping } from '../split/source-mapping.ts'
import { declaredEncoding } from '../split/survey-file.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { profileOf } from '../work/profile-of.ts'
import type { FoundFile } from './found-file.ts'
import { type SpooledContent, spoolContent } from './spool-content.ts'

export const GZIP = 'application/gzip'

/** What one step of taking an archive apart has come to. Changed by every content that is taken. */
export interface Step {
  readonly deps: PipelineDeps
  readonly work: SplitWork
  readonly signal: AbortSignal
  /** The saved mapping of the batch's source. */
  readonly mapping: UsedMapping | null
  readonly found: FoundFile[]
  progress: ArchiveProgress
}

/** A content to be taken out: its path in the file that was sent, and the archive it lies in. */
export interface Taken {
  readonly filename: string
  readonly archiveId: string
  /** How many archives are around it. */
  readonly depth: 1 | 2
}

const faultOf = ({ reason: code, message: detail }: ArchiveFault): RowFault => ({ code, detail })

/** Adds a content that is spooled to what was found, under the next number. */
function addFound(step: Step, taken: Taken, content: SpooledContent, plan: PlannedFile): FoundFile {
  const { number } = step.progress
  const { filename, archiveId } = taken
  const file = {
    ...plan,
    id: step.deps.newId(),
    number,
    filename,
    archiveId,
    spooled: content.spooled,
    payloadUri: null
  }
  step.found.push(file)
  step.progress = { ...step.progress, number: number + 1 }
  return file
}

function replaceFound<F extends FoundFile, C extends Partial<FoundFile>>(step: Step, file: F, change: C): F & C {
  const changed = { ...file, ...change }
  const at = step.found.findIndex(({ id }) => id === file.id)
  if (at < 0) throw new AppError('INTERNAL', 'A file that was not found was to be changed.')
  step.found[at] = changed
  return changed
}

const planOf = (step: Step, { filename }: Taken, { spooled, head }: SpooledContent): Promise<PlannedFile> => {
  const { deps, work } = step
  const profile = profileOf(deps, work.profile)
  return planContent(
    { filename, declaredType: null, size: spooled.size, head },
    {
      takesDocuments: takesDocuments(profile),
      split: async mediaType => {
        const source = await findMapping(deps.pool, profile, work)
        const encoding = await declaredEncoding(deps.pool, work)
        return planFile({ profile, mediaType, bytes: head, bounds: deps.chunk, source, encoding })
      },
      onSplitFailure: error =>
        deps.logger.error(errorFields(error), 'a small file could not be split when it was found')
    }
  )
}

/** Makes an archive durable that lies in another, since it is read where it lies. */
async function storeFound(step: Step, file: FoundFile): Promise<FoundFile & { readonly payloadUri: string }> {
  const { store } = step.deps
  const [payloadUri = ''] = await store.commit([
    { spooled: file.spooled, key: payloadKey(step.work.jurisdiction, file.id) }
  ])
  return replaceFound(step, file, { payloadUri })
}

/** Numbers and bytes for everything in an inner archive are set aside, so that it can be taken apart by a job of its own. */
async function setAside(step: Step, file: FoundFile & { readonly payloadUri: string }): Promise<void> {
  const { left, number, fileBytes } = step.progress
  const open = (range: { start: number; end: number }) => step.deps.store.open(file.payloadUri, range)
  const inner = await openArchive(open, file.spooled.size, left.entries)
  inner.close()
  const entries = inner.entries.length
  const bytes = inner.entries.reduce((sum, entry) => sum + entry.claimedBytes, 0)
  if (bytes > left.bytes) throw tooMuch()
  const begin = { name: file.filename, depth: 2, number } as const
  const progress = archiveToStored(firstArchiveProgress(begin, { bytes, fileBytes, entries }))
  replaceFound(step, file, { progress })
  step.progress = {
    ...step.progress,
    number: number + entries,
    left: { bytes: left.bytes - bytes, entries: left.entries - entries }
  }
}

/** The fault of an archive that unfolds to more than what is left to it. */
export const tooMuch = (): ArchiveFault =>
  new ArchiveFault(
    'FILE_TOO_LARGE',
    'All that was sent in this archive together unfolds to more than one request may hold.'
  )

/** `june.csv.gz` holds `june.csv`; a body that was sent compressed has no ending to lose. */
export const unfoldedName = (filename: string): string => {
  const name = filename.slice(filename.lastIndexOf('/') + 1)
  return `${filename}/${name.replace(/\.tgz$/i, '.tar').replace(/\.g?z(?:ip)?$/i, '') || name}`
}

/** Takes the one content out of gzip data. Throws `ArchiveFault`. */
export async function takeUnfolded(
  step: Step,
  folded: {
    readonly uri: string
    readonly size: number
    readonly filename: string
    readonly id: string
    readonly depth: 1 | 2
  }
): Promise<void> {
  const { fileBytes, left } = step.progress
  if (left.entries < 1) throw tooMuch()
  const { store } = step.deps
  const limit = Math.min(fileBytes, left.bytes)
  const pieces = gunzip({ open: range => store.open(folded.uri, range), start: 0, size: folded.size, limit })
  const content = await spoolContent(store, pieces, step.signal)
  step.progress = {
    ...step.progress,
    left: { bytes: left.bytes - content.spooled.size, entries: left.entries - 1 }
  }
  await addContent(
    step,
    { filename: unfoldedName(folded.filename), archiveId: folded.id, depth: folded.depth },
    content
  )
}

async function openInner(step: Step, file: FoundFile, depth: 1 | 2): Promise<void> {
  if (depth === 2) {
    replaceFound(step, file, planFault(file.mediaType, 'archive', { code: 'ARCHIVE_TOO_DEEP' }))
    return
  }
  const stored = await storeFound(step, file)
  try {
    if (file.mediaType !== GZIP) return await setAside(step, stored)
    const { payloadUri: uri, id, filename } = stored
    await takeUnfolded(step, { uri, size: stored.spooled.size, filename, id, depth: 2 })
    const format = archiveFormat({ files: 1, folders: 0, system: 0 })
    replaceFound(step, stored, { state: 'split', format })
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error
    replaceFound(step, stored, planFault(file.mediaType, 'archive', faultOf(error)))
  }
}

async function addContent(step: Step, taken: Taken, content: SpooledContent): Promise<void> {
  const file = addFound(step, taken, content, await planOf(step, taken, content))
  if (file.kind === 'archive' && file.state === 'received') await openInner(step, file, taken.depth)
}

/**
 * Takes one entry out of an archive: stores and plans it, and opens it when it is an archive itself. An entry that cannot
 * be read is kept as it stands in the archive and ends as a record with the reason; its neighbours are not affected.
 */
export async function takeEntry(
  step: Step,
  taken: Taken,
  entry: {
    read(limit: number): AsyncIterable<Buffer>
    readStored(): AsyncIterable<Buffer>
    readonly fault?: RowFault
  }
): Promise<void> {
  const { store } = step.deps
  let fault = entry.fault
  if (!fault) {
    try {
      return await addContent(step, taken, await spoolContent(store, entry.read(step.progress.fileBytes), step.signal))
    } catch (error) {
      if (!(error instanceof ArchiveFault)) throw error
      fault = faultOf(error)
    }
  }
  const content = await spoolContent(store, entry.readStored(), step.signal)
  addFound(step, taken, content, planFault('application/octet-stream', 'unsupported', fault))
}
