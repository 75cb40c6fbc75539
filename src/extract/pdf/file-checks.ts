/** What the raw bytes of a PDF say about its wholeness; a tolerant reader hides all of it. */
export interface FileChecks {
  /** Neither an end marker nor a trailer or cross-reference stream: the file was cut off. */
  readonly truncated: boolean
  /** There is a trailer, but the table it names is not where it says. */
  readonly xrefMisplaced: boolean
  /** The table of objects had to be made up from the objects found: none is named, or none is where it should be. */
  readonly rebuilt: boolean
  /** A trailer stands somewhere: what cannot be opened in spite of it is damaged, not merely cut short. */
  readonly hasTrailer: boolean
}

// Readers look for the end marker in the last kilobyte; some producers append more rubbish than that.
const TAIL = 2048

/** Looks at the end of the file, where a whole one has its cross-reference offset and its end marker. */
export function checkFile(bytes: Buffer): FileChecks {
  const tail = bytes.subarray(Math.max(0, bytes.length - TAIL))
  const ended = tail.includes('%%EOF')
  const startAt = bytes.lastIndexOf('startxref')
  const hasTrailer = bytes.includes('trailer') || bytes.includes('/XRef')
  if (!ended && (startAt < 0 || !hasTrailer || bytes.length - startAt > TAIL)) {
    return { truncated: true, xrefMisplaced: false, rebuilt: true, hasTrailer }
  }
  const xrefMisplaced = startAt >= 0 && !isTableAt(bytes, startAt)
  return { truncated: false, xrefMisplaced, rebuilt: startAt < 0 || xrefMisplaced, hasTrailer }
}

function isTableAt(bytes: Buffer, startAt: number): boolean {
  const digits = /^startxref[\r\n\t ]{0,8}(\d{1,12})/.exec(bytes.toString('latin1', startAt, startAt + 40))?.[1]
  if (digits === undefined) return false
  // Offsets count from the header, which may stand behind other bytes.
  const header = Math.max(0, bytes.subarray(0, 1024).indexOf('%PDF-'))
  return [Number(digits), Number(digits) + header].some(offset => {
    const found = bytes.toString('latin1', offset, offset + 32).trimStart()
    return found.startsWith('xref') || /^\d{1,10} \d{1,5} obj/.test(found)
  })
}
