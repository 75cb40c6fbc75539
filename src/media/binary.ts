/** What a file's first bytes say it is. */
export interface BinaryMedia {
  readonly mediaType: string
  readonly kind: 'data' | 'document' | 'archive' | 'unsupported'
  /** Protected by a password as a whole, as far as the head tells. */
  readonly isEncrypted?: boolean
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** OpenDocument files begin with the name of their type. */
const OPEN_DOCUMENT = /mimetype(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet))/

/** Junk that readers of PDF tolerate before the header, by Adobe's implementation notes. */
const PDF_JUNK_BYTES = 1024

const at = (offset: number, magic: string) => ({ offset, magic: Buffer.from(magic, 'latin1') })

const SIGNATURES: readonly [readonly ReturnType<typeof at>[], BinaryMedia][] = [
  [[at(0, '\x89PNG\r\n\x1a\n')], { mediaType: 'image/png', kind: 'document' }],
  [[at(0, '\xff\xd8\xff')], { mediaType: 'image/jpeg', kind: 'document' }],
  [[at(0, 'II*\0')], { mediaType: 'image/tiff', kind: 'document' }],
  [[at(0, 'MM\0*')], { mediaType: 'image/tiff', kind: 'document' }],
  [[at(0, 'GIF8')], { mediaType: 'image/gif', kind: 'unsupported' }],
  [[at(0, 'RIFF'), at(8, 'WEBP')], { mediaType: 'image/webp', kind: 'unsupported' }],
  [[at(4, 'ftyphei')], { mediaType: 'image/heic', kind: 'unsupported' }],
  [[at(4, 'ftyphev')], { mediaType: 'image/heic', kind: 'unsupported' }],
  [[at(4, 'ftypmif1')], { mediaType: 'image/heic', kind: 'unsupported' }],
  [[at(4, 'ftypmsf1')], { mediaType: 'image/heic', kind: 'unsupported' }],
  [[at(0, '\x1f\x8b')], { mediaType: 'application/gzip', kind: 'archive' }],
  [[at(0, '{\\rtf')], { mediaType: 'application/rtf', kind: 'unsupported' }],
  [[at(0, "7z\xbc\xaf'\x1c")], { mediaType: 'application/x-7z-compressed', kind: 'unsupported' }],
  [[at(0, 'Rar!\x1a\x07')], { mediaType: 'application/vnd.rar', kind: 'unsupported' }],
  [[at(0, '%!PS')], { mediaType: 'application/postscript', kind: 'unsupported' }],
  [[at(0, '\x7fELF')], { mediaType: 'application/octet-stream', kind: 'unsupported' }],
  [[at(0, 'SQLite format 3\0')], { mediaType: 'application/vnd.sqlite3', kind: 'unsupported' }]
]

/** The media type by magic bytes, or null when the bytes may be text. `filename` helps only inside ZIP and OLE. */
export function binaryMedia(head: Buffer, filename: string): BinaryMedia | null {
  if (head.subarray(0, PDF_JUNK_BYTES + 5).includes('%PDF-')) return { mediaType: 'application/pdf', kind: 'document' }
  if (startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')) return zipMedia(head, filename)
  if (startsWith(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return oleMedia(head, filename)
  const found = SIGNATURES.find(([parts]) =>
    parts.every(part => head.subarray(part.offset, part.offset + part.magic.length).equals(part.magic))
  )
  return found?.[1] ?? null
}

function startsWith(head: Buffer, magic: string): boolean {
  return head.subarray(0, magic.length).toString('latin1') === magic
}

/** OOXML by the names of the parts in the head; a head too short to show them is believed by its name. */
function zipMedia(head: Buffer, filename: string): BinaryMedia {
  const names = entryNames(head)
  const has = (prefix: string): boolean => names.some(name => name.startsWith(prefix))
  const isOffice = has('[Content_Types].xml') || has('_rels/') || has('docProps/')
  // An archive of somebody's folders may have one that is called like those of Office files.
  const isPlain = !isOffice && /\.zip$/i.test(filename)
  if ((has('word/') && !isPlain) || (isOffice && /\.docx$/i.test(filename)))
    return { mediaType: DOCX, kind: 'document' }
  if ((has('xl/') && !isPlain) || (isOffice && /\.xlsx$/i.test(filename))) return { mediaType: XLSX, kind: 'data' }
  const open = OPEN_DOCUMENT.exec(head.toString('latin1', 30, 100))?.[1]
  if (open !== undefined) return { mediaType: open, kind: 'unsupported' }
  if (isOffice || has('mimetype')) return { mediaType: 'application/zip', kind: 'unsupported' }
  return { mediaType: 'application/zip', kind: 'archive' }
}

/** Names of the local headers in the head: enough to tell kinds apart, never to read the archive by. */
function entryNames(head: Buffer): string[] {
  const names: string[] = []
  for (let found = head.indexOf('PK\x03\x04'); found >= 0; found = head.indexOf('PK\x03\x04', found + 4)) {
    if (found + 30 > head.length) break
    const length = Math.min(head.readUInt16LE(found + 26), 512)
    names.push(head.toString('latin1', found + 30, found + 30 + length).replaceAll('\\', '/'))
  }
  return names
}

/** A password puts OOXML into an OLE container, of which extraction says so; older Office files are OLE too and not read. */
function oleMedia(head: Buffer, filename: string): BinaryMedia {
  const holds = (name: string): boolean => head.includes(Buffer.from(name, 'utf16le'))
  // A plain workbook of the old kind is sometimes given the new ending.
  const isOld = holds('WordDocument') || holds('Workbook') || holds('Book')
  const isEncrypted = holds('EncryptedPackage') || (!isOld && /\.(?:docx|xlsx)$/i.test(filename))
  if (isEncrypted) {
    const isSheet = /\.xlsx$/i.test(filename)
    return isSheet
      ? { mediaType: XLSX, kind: 'unsupported', isEncrypted }
      : { mediaType: DOCX, kind: 'document', isEncrypted }
  }
  if (holds('WordDocument')) return { mediaType: 'application/msword', kind: 'unsupported' }
  if (isOld) return { mediaType: 'application/vnd.ms-excel', kind: 'unsupported' }
  return { mediaType: 'application/x-ole-storage', kind: 'unsupported' }
}
