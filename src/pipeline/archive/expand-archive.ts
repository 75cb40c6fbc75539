import { isInfrastructureFault } from '../../db/sqlstate.ts'
import type { SplitWork } from '../../db/work/splits.ts'
import { ArchiveFault } from '../../media/archive/archive-fault.ts'
import { type Archive, type ArchiveEntry, openArchive } from '../../media/archive/open-archive.ts'
import { archiveFromStored } from '../../model/archive-progress.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import { saveFinal } from '../split/save-split.ts'
import { findMapping } from '../split/source-mapping.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { profileOf } from '../work/profile-of.ts'
import { discardStep, saveStep } from './save-step.ts'
import { GZIP, type Step, takeEntry, takeUnfolded, tooMuch } from './take-content.ts'

/** How long a job takes files out before it saves them and makes way, and how many. */
const STEP_MS = 10_000
const STEP_FILES = 500

const ARCHIVES = ['application/zip', GZIP]

/** Files of these types are not split into chunks but into files. */
export const isArchive = (mediaType: string): boolean => ARCHIVES.includes(mediaType)

const LINK = {
  code: 'FILE_TYPE_UNSUPPORTED',
  detail: 'It is a link to another file. Send that file itself.'
} as const

/** What the directory promises is held against the limits before anything is unfolded; unfolding then holds it to that. */
function begin(step: Step, { entries }: Archive): void {
  const { left } = step.progress
  if (entries.every(entry => isLitter(entry))) throw new ArchiveFault('FILE_EMPTY', 'The archive holds no files.')
  const bytes = entries.reduce((sum, entry) => sum + entry.claimedBytes, 0)
  if (bytes > left.bytes) throw tooMuch()
  step.progress = {
    ...step.progress,
    cursor: 0,
    left: { bytes: left.bytes - bytes, entries: left.entries - entries.length }
  }
}

const isLitter = ({ kind }: ArchiveEntry): boolean => kind === 'folder' || kind === 'system'

async function takeNext(step: Step, entry: ArchiveEntry): Promise<void> {
  const { progress, work } = step
  const { kind, path } = entry
  const taken = { filename: `${progress.name}/${path}`, archiveId: work.fileId, depth: progress.depth }
  if (!isLitter(entry)) await takeEntry(step, taken, kind === 'link' ? { ...entry, fault: LINK } : entry)
  const { ignored } = progress
  step.progress = {
    ...step.progress,
    cursor: (progress.cursor ?? 0) + 1,
    files: progress.files + (isLitter(entry) ? 0 : 1),
    ignored: {
      folders: ignored.folders + (kind === 'folder' ? 1 : 0),
      system: ignored.system + (kind === 'system' ? 1 : 0)
    }
  }
}

/** Takes entries out until the archive ends or it is time to save; answers whether it ended. */
async function takeEntries(step: Step): Promise<boolean> {
  const { deps, work, signal } = step
  const isFirst = step.progress.cursor === null
  const maxEntries = isFirst ? step.progress.left.entries : Number.MAX_SAFE_INTEGER
  const archive = await openArchive(range => deps.store.open(work.payloadUri, range), work.size, maxEntries)
  const begun = deps.now()
  try {
    if (isFirst) begin(step, archive)
    for (const entry of archive.entries.slice(step.progress.cursor ?? 0)) {
      if (deps.now() - begun > STEP_MS || step.found.length >= STEP_FILES) return false
      signal.throwIfAborted()
      await takeNext(step, entry)
    }
    return true
  } finally {
    archive.close()
  }
}

async function takeAll(step: Step): Promise<boolean> {
  const { work, progress } = step
  if (work.mediaType !== GZIP) return takeEntries(step)
  const { payloadUri: uri, size, fileId: id } = work
  await takeUnfolded(step, { uri, size, id, filename: progress.name, depth: 1 })
  step.progress = { ...step.progress, files: 1 }
  return true
}

/**
 * Takes the files out of an archive, or goes on doing so. Files become part of the batch in the transaction that moves
 * the archive's place on: killed at any point, another attempt goes on from there, with the same numbers. A fault of the
 * archive as a whole ends as a record of its own; files that came before it stay.
 */
export async function expandArchive(deps: PipelineDeps, work: SplitWork, job: ClaimedJob): Promise<void> {
  const mapping = await findMapping(deps.pool, profileOf(deps, work.profile), work)
  const progress = archiveFromStored(work.progress)
  const step: Step = { deps, work, signal: job.signal, mapping, found: [], progress }
  let mayBeSaved = false
  try {
    const isWhole = await takeAll(step)
    mayBeSaved = true
    await saveStep(step, job, isWhole)
  } catch (error) {
    // After a lost connection the files may be recorded all the same: what is stored stays, and the sweeper takes it if not.
    if (!isInfrastructureFault(error)) mayBeSaved = false
    if (!(error instanceof ArchiveFault)) throw error
    await saveFinal(deps, work, job, { kind: 'fault', fault: { code: error.reason, detail: error.message } })
  } finally {
    if (!mayBeSaved) await discardStep(step)
  }
}
