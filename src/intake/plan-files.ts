import { buffer } from 'node:stream/consumers'
import type { MappingRow } from '../db/work/source-mappings.ts'
import { errorFields } from '../logger.ts'
import { type PlannedFile, planContent, SMALL_FILE_BYTES } from '../media/plan-content.ts'
import { archiveToStored, firstArchiveProgress } from '../model/archive-progress.ts'
import type { IntakeDeps, ReceivedFile } from './submission.ts'

export interface PlanOptions {
  readonly profile: string
  /** The saved mapping of its source. */
  readonly mapping: MappingRow | null
  readonly encoding: string | null
}

/** Decides what a received file is and, for a small data file, its chunks. Reads at most 256 kB of it. */
export async function planFile(
  deps: IntakeDeps,
  options: PlanOptions,
  file: ReceivedFile,
  payloadUri: string
): Promise<PlannedFile> {
  const head =
    file.size === 0
      ? Buffer.alloc(0)
      : await buffer(await deps.store.open(payloadUri, { start: 0, end: SMALL_FILE_BYTES - 1 }))
  const { profile, mapping, encoding } = options
  const { filename, size } = file
  return planContent(
    { ...file, head },
    {
      takesDocuments: deps.profiles.get(profile)?.takesDocuments ?? false,
      split: mediaType =>
        deps.planFile({ profile, mapping, encoding, file: { filename, mediaType, size }, bytes: head }),
      onSplitFailure: error => deps.logger.error(errorFields(error), 'a small file could not be split on arrival')
    }
  )
}

/**
 * Numbers files in their order, from 1. Behind an archive as many numbers are kept free as it may hold entries, so that
 * its files stand between it and the next, whenever they are taken out of it. An archive may unfold to what a request may
 * hold.
 */
export function numberFiles<F extends PlannedFile & { readonly filename: string }>(
  files: readonly F[],
  limits: IntakeDeps['limits']
): (F & { readonly number: number })[] {
  let next = 1
  return files.map(file => {
    const number = next
    const isArchive = file.kind === 'archive' && file.state !== 'split'
    next += isArchive ? 1 + limits.parts : 1
    if (!isArchive) return { ...file, number }
    const begin = { name: file.filename, depth: 1, number: number + 1 } as const
    const allowed = { bytes: limits.requestBytes, fileBytes: limits.fileBytes, entries: limits.parts }
    return { ...file, number, progress: archiveToStored(firstArchiveProgress(begin, allowed)) }
  })
}
