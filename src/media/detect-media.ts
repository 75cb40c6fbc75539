import { binaryMedia } from './binary.ts'
import { looksDelimited, sampleText, textMediaType } from './text.ts'

export { looksDelimited }

export interface DetectedMedia {
  readonly mediaType: string
  /** `unsupported` is known and not read; text of a kind that is read is `data` or, with a `.md` name, `document`. */
  readonly kind: 'data' | 'document' | 'archive' | 'unsupported'
  /** The content is not what the name says, or, where the name says nothing, what the declared type says. */
  readonly mismatch: boolean
  /** Named as a document or picture and shorter than any can be: what is left of one that was lost. */
  readonly remnant: boolean
  /** Protected by a password as a whole. */
  readonly encrypted: boolean
}

/** Kinds of content that names and types tell apart. Names of one family are no lie about another member of it. */
type Family = 'text' | 'html' | 'pdf' | 'word' | 'sheet' | 'zip' | 'gzip' | 'image' | 'other'

const FAMILY_BY_EXTENSION: Readonly<Record<string, Family>> = {
  csv: 'text',
  tsv: 'text',
  tab: 'text',
  txt: 'text',
  text: 'text',
  md: 'text',
  markdown: 'text',
  json: 'text',
  ndjson: 'text',
  jsonl: 'text',
  geojson: 'text',
  htm: 'html',
  html: 'html',
  pdf: 'pdf',
  docx: 'word',
  doc: 'word',
  rtf: 'word',
  xlsx: 'sheet',
  xls: 'sheet',
  ods: 'sheet',
  zip: 'zip',
  gz: 'gzip',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  tif: 'image',
  tiff: 'image',
  heic: 'image',
  heif: 'image',
  webp: 'image',
  gif: 'image'
}

const FAMILY_BY_TYPE: readonly (readonly [RegExp, Family])[] = [
  [/^(?:text\/(?:csv|plain|markdown|tab-separated-values)|application\/(?:json|x-ndjson|jsonl|csv))$/, 'text'],
  [/^text\/html$/, 'html'],
  [/^application\/pdf$/, 'pdf'],
  [/^application\/(?:vnd\.openxmlformats-officedocument\.wordprocessingml\.document|msword|rtf)$/, 'word'],
  [
    /^application\/(?:vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet|vnd\.ms-excel|vnd\.oasis\.opendocument\.spreadsheet)$/,
    'sheet'
  ],
  [/^application\/(?:zip|x-zip-compressed)$/, 'zip'],
  [/^application\/(?:gzip|x-gzip)$/, 'gzip'],
  [/^image\//, 'image']
]

const READ_AS_DATA = ['application/json', 'application/x-ndjson', 'text/csv', 'text/plain']

/**
 * The media type of a file by its first bytes (64 kB serve well): magic bytes, then the shape of its text. Name and
 * declared type only name the kind of a text, never overrule content; where they contradict it, `mismatch` says so.
 */
export function detectMedia(head: Uint8Array, filename: string, declared: string | undefined): DetectedMedia {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const found = binaryMedia(bytes, filename)
  if (found !== null) {
    const family = familyOf(found.mediaType)
    // A body sent compressed keeps the name and type of what was compressed, which are asked about once it is unfolded.
    const mismatch = family !== 'gzip' && contradicts(family, filename, declared)
    return {
      mediaType: found.mediaType,
      kind: found.kind,
      mismatch: mismatch && !found.isEncrypted,
      remnant: false,
      encrypted: found.isEncrypted ?? false
    }
  }
  const text = sampleText(bytes)
  const mediaType = text === null ? 'application/octet-stream' : namedText(textMediaType(text), filename, declared)
  return {
    mediaType,
    kind: textKind(mediaType),
    mismatch: contradicts(familyOf(mediaType), filename, declared),
    remnant: bytes.length < SMALLEST_DOCUMENT && /\.(?:pdf|docx|png|jpe?g|tiff?)$/i.test(filename),
    encrypted: false
  }
}

/** No PDF, Word file or picture with anything in it is as short, in bytes. */
const SMALLEST_DOCUMENT = 32

function textKind(mediaType: string): DetectedMedia['kind'] {
  if (mediaType === 'text/markdown') return 'document'
  return READ_AS_DATA.includes(mediaType) ? 'data' : 'unsupported'
}

/** Text of no telling shape is what its name, then its declared type, says. */
function namedText(mediaType: string, filename: string, declared: string | undefined): string {
  if (mediaType !== 'text/plain') return mediaType
  const extension = extensionOf(filename)
  if (extension === 'md' || extension === 'markdown') return 'text/markdown'
  if (extension === 'csv' || extension === 'tsv' || extension === 'tab') return 'text/csv'
  if (extension === 'json') return 'application/json'
  if (extension === 'ndjson' || extension === 'jsonl') return 'application/x-ndjson'
  const type = essence(declared)
  const isTelling = ['text/csv', 'text/markdown', 'application/json', 'application/x-ndjson'].includes(type)
  return extension === '' && isTelling ? type : 'text/plain'
}

function familyOf(mediaType: string): Family {
  return FAMILY_BY_TYPE.find(([type]) => type.test(mediaType))?.[1] ?? 'other'
}

function contradicts(content: Family, filename: string, declared: string | undefined): boolean {
  const extension = extensionOf(filename)
  const named = Object.hasOwn(FAMILY_BY_EXTENSION, extension) ? FAMILY_BY_EXTENSION[extension] : undefined
  if (named !== undefined) return !agree(named, content)
  const type = essence(declared)
  // Clients send these for anything they do not know.
  if (type === '' || type === 'application/octet-stream' || type === 'text/plain') return false
  const family = familyOf(type)
  return family !== 'other' && !agree(family, content)
}

/** Browsers on Windows declare CSV as Excel, and Office files are ZIP archives. */
function agree(said: Family, content: Family): boolean {
  if (said === content) return true
  return (said === 'sheet' && content === 'text') || (said === 'zip' && (content === 'word' || content === 'sheet'))
}

function extensionOf(filename: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
}

function essence(declared: string | undefined): string {
  return (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
