/** Filters of streams by ISO 32000-2, with the short names that inline pictures use. */
const FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'LZWDecode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
  'Crypt',
  'AHx',
  'A85',
  'LZW',
  'Fl',
  'RL',
  'CCF',
  'DCT'
])
const FILTER = /\/Filter\s{0,20}(\[[^\]<>]{0,200}\]|\/[^\s/<>[\]()]{1,60})/g
/** How far behind its filter the data of a stream begins, in bytes, and how many filters are looked at. */
const STREAM_REACH = 1000
const MOST_FILTERS = 20_000
/** Page trees looked at; each change of a file may append one. */
const MOST_ROOTS = 50

/**
 * True when a stream is packed in a way that the standard does not know: readers disagree on such files, and whoever
 * reviews one may see nothing. The entry `/Filter` of encryption and signatures names a handler and no stream follows.
 */
export function hasUnknownFilter(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  return text
    .matchAll(FILTER)
    .take(MOST_FILTERS)
    .some(match => {
      const names = [...(match[1] ?? '').matchAll(/\/([^\s/<>[\]()]{1,60})/g)].map(([, name = '']) => name)
      if (names.every(name => FILTERS.has(name.replaceAll(/#([0-9A-Fa-f]{2})/g, decodeHex)))) return false
      const after = text.slice(match.index, match.index + STREAM_REACH)
      return /^(?:(?!endobj)[\s\S])*?>>\s{0,20}stream\r?\n/.test(after)
    })
}

const decodeHex = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const OBJECT = /\d{1,10} \d{1,5} obj\b(?:(?!endobj|\bstream\b)[\s\S]){0,4000}/g
const ROOT_COUNT = /\/Count\s{0,20}(-?\d{1,20})(?:\s{1,20}(\d{1,10})\s{1,20}R\b)?/

/**
 * True when the page tree is at odds with the pages found: it claims more, or its count is no number. A tolerant
 * reader goes on with what it finds, and nothing shows that pages are lost. Trees inside packed objects are not seen.
 */
export function isTreeBroken(bytes: Buffer, pages: number): boolean {
  const text = bytes.toString('latin1')
  if (/\/Type\s{0,20}\/ObjStm\b/.test(text)) return false
  const roots = text
    .matchAll(OBJECT)
    .map(match => match[0])
    .filter(body => /\/Type\s{0,20}\/Pages\b/.test(body) && !/\/Parent\b/.test(body))
    .take(MOST_ROOTS)
    .toArray()
  const counts = roots.map(body => countOf(body, text))
  return counts.length > 0 && counts.every(count => count === null || count > pages)
}

/** The count of a page tree, through a reference if it is one; null when it is no number. */
function countOf(body: string, text: string): number | null {
  const [, digits, generation] = ROOT_COUNT.exec(body) ?? []
  if (digits === undefined) return null
  if (generation === undefined) return Number(digits)
  const target = new RegExp(`(?:^|[\\r\\n])${digits} ${generation} obj\\s{0,20}(\\d{1,20})\\s`).exec(text)?.[1]
  return target === undefined ? null : Number(target)
}
