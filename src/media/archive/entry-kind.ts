import { isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel } from 'yauzl'

/** What an entry is, by its name and attributes. `system`: litter of an operating system, which nobody means to send. */
export type EntryKind = 'file' | 'folder' | 'link' | 'system'

const UTF8_FLAG = 0x800

/**
 * The name of an entry as text, for people only: UTF-8 where it is marked as such or is such, else code page 437, or what
 * an Info-ZIP field says.
 */
export function entryName(entry: Entry): string {
  const { fileNameRaw, generalPurposeBitFlag, extraFields } = entry
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
}

const SYSTEM_FOLDERS = new Set(['__macosx'])
const SYSTEM_FILES = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

/** A deflated nothing is two bytes long. */
const NOTHING_BYTES = 2

/** Hosts whose attributes are those of Unix: Unix and macOS. */
const UNIX_HOSTS = [3, 19]
const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return UNIX_HOSTS.includes(versionMadeBy >>> 8) && ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK
}

/** A folder with content is a file, so that nothing that was sent goes unseen. */
export function entryKind(entry: Entry, name: string): EntryKind {
  const parts = name.toLowerCase().split(/[\\/]/)
  if (parts.some(part => SYSTEM_FOLDERS.has(part)) || SYSTEM_FILES.has(parts.at(-1) ?? '')) return 'system'
  const isEmpty = entry.uncompressedSize === 0 && entry.compressedSize <= NOTHING_BYTES
  if (parts.at(-1) === '' && isEmpty) return 'folder'
  return isLink(entry) ? 'link' : 'file'
}
