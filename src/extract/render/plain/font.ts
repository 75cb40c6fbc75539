/** A TrueType font as far as text is laid out with it. */
export interface Font {
  /** The file itself, to be embedded. */
  readonly bytes: Buffer
  /** The number of a character's glyph; 0, an empty box, when it has none. */
  glyphOf(codePoint: number): number
  /** Width of a glyph in thousandths of the size. */
  widthOf(glyph: number): number
}

const FORMAT_SEGMENTS = 4

/** Reads the tables of a font of ours that say which glyph a character has and how wide it is. */
export function readFont(bytes: Buffer): Font {
  const table = (name: string): Buffer => {
    for (let at = 12; at < 12 + bytes.readUInt16BE(4) * 16; at += 16) {
      if (bytes.toString('latin1', at, at + 4) !== name) continue
      const offset = bytes.readUInt32BE(at + 8)
      return bytes.subarray(offset, offset + bytes.readUInt32BE(at + 12))
    }
    throw new Error(`A font lacks the table ${name}.`)
  }
  const unitsPerEm = table('head').readUInt16BE(18)
  const metrics = table('hmtx')
  const lastMetric = table('hhea').readUInt16BE(34) - 1
  const glyphs = readGlyphs(table('cmap'))
  return {
    bytes,
    glyphOf: codePoint => glyphs.get(codePoint) ?? 0,
    widthOf: glyph => (metrics.readUInt16BE(Math.min(glyph, lastMetric) * 4) * 1000) / unitsPerEm
  }
}

/** The characters of the basic plane, from the table of segments that every font has. */
function readGlyphs(cmap: Buffer): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>()
  for (let entry = 4; entry < 4 + cmap.readUInt16BE(2) * 8; entry += 8) {
    const table = cmap.subarray(cmap.readUInt32BE(entry + 4))
    if (table.readUInt16BE(0) === FORMAT_SEGMENTS) readSegments(table, glyphs)
  }
  return glyphs
}

function readSegments(table: Buffer, glyphs: Map<number, number>): void {
  const twice = table.readUInt16BE(6)
  for (let segment = 0; segment < twice; segment += 2) {
    const end = table.readUInt16BE(14 + segment)
    const start = table.readUInt16BE(16 + twice + segment)
    const delta = table.readUInt16BE(16 + 2 * twice + segment)
    const rangeAt = 16 + 3 * twice + segment
    const range = table.readUInt16BE(rangeAt)
    for (let code = start; code <= end && code < 0xffff; code++) {
      const raw = range === 0 ? code : table.readUInt16BE(rangeAt + range + 2 * (code - start))
      const glyph = raw === 0 && range !== 0 ? 0 : (raw + delta) & 0xffff
      if (glyph !== 0) glyphs.set(code, glyph)
    }
  }
}
