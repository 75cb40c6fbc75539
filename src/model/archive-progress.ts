import type { Json } from './json.ts'

/** How far the files of an archive have been taken out of it. Stored with the archive's row while it is `splitting`. */
export interface ArchiveProgress {
  /** Shown before the paths of its files. */
  readonly name: string
  /** 1 for an archive as it was sent, 2 for one that lay in it. */
  readonly depth: 1 | 2
  /** Number of the next file. What is above it up to the next file that was sent is kept free for this archive. */
  readonly number: number
  /** Most bytes of one file. */
  readonly fileBytes: number
  /** What may still come out of it beside the entries of its own directory, once that was read. */
  readonly left: { readonly bytes: number; readonly entries: number }
  /** Entries of its directory that are dealt with; null while it was not opened. */
  readonly cursor: number | null
  /** Files found so far, those in archives within it not counted. */
  readonly files: number
  readonly ignored: IgnoredEntries
}

/** Entries that hold nothing to read. */
export interface IgnoredEntries {
  readonly folders: number
  /** `__MACOSX`, `.DS_Store`, `Thumbs.db` and the like. */
  readonly system: number
}

export interface ArchiveLimits {
  readonly bytes: number
  readonly fileBytes: number
  readonly entries: number
}

/** Where taking an archive apart begins. Limits and numbers are fixed here, whichever worker goes on. */
export const firstArchiveProgress = (
  archive: Pick<ArchiveProgress, 'name' | 'depth' | 'number'>,
  limits: ArchiveLimits
): ArchiveProgress => ({
  ...archive,
  fileBytes: limits.fileBytes,
  left: { bytes: limits.bytes, entries: limits.entries },
  cursor: null,
  files: 0,
  ignored: { folders: 0, system: 0 }
})

/** The stored form of a progress, and the way back; plain data that nobody else writes. */
export const archiveToStored = (progress: ArchiveProgress): Json => progress as unknown as Json
export const archiveFromStored = (stored: Json): ArchiveProgress => stored as unknown as ArchiveProgress

/** What an archive's row says of it as its format once it is taken apart. */
export interface ArchiveResult extends IgnoredEntries {
  readonly files: number
}

export const archiveFormat = (result: ArchiveResult): { readonly archive: Json } => ({ archive: { ...result } })

/** Reads it back; null for files that are no archives, and for archives that are not taken apart. */
export const archiveResult = (format: Json): ArchiveResult | null =>
  ((format as { readonly archive?: unknown } | null)?.archive as ArchiveResult | undefined) ?? null
