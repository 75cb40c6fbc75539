import type { Font } from './font.ts'
import { type Fonts, type PlacedText, SHEET } from './lay-out.ts'

const FONT_FLAGS = 32

/** A PDF of one sheet with these texts; the fonts are embedded whole, since it is drawn at once and kept by nobody. */
export function writeSheet(texts: readonly PlacedText[], fonts: Fonts): Buffer {
  const used = { regular: new Set<number>(), bold: new Set<number>() }
  const content = texts.map(text => showText(text, fonts, used)).join('\n')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${SHEET.width} ${SHEET.height}] /Contents 4 0 R
       /Resources << /Font << /R 5 0 R /B 9 0 R >> >> >>`,
    streamOf(Buffer.from(content, 'latin1')),
    ...fontObjects(fonts.regular, used.regular, 5),
    ...fontObjects(fonts.bold, used.bold, 9)
  ])
}

function showText(
  { x, y, size, bold, text }: PlacedText,
  fonts: Fonts,
  used: { readonly regular: Set<number>; readonly bold: Set<number> }
): string {
  const name = bold ? 'bold' : 'regular'
  const glyphs = Array.from(text, letter => fonts[name].glyphOf(letter.codePointAt(0) ?? 0))
  for (const glyph of glyphs) used[name].add(glyph)
  const hex = glyphs.map(glyph => glyph.toString(16).padStart(4, '0')).join('')
  return `BT /${bold ? 'B' : 'R'} ${size} Tf ${x.toFixed(2)} ${(SHEET.height - y).toFixed(2)} Td <${hex}> Tj ET`
}

/** Four objects: the font, its descendant, its descriptor and its file. */
function fontObjects(font: Font, used: ReadonlySet<number>, first: number): (string | Buffer)[] {
  const widths = [...used].map(glyph => `${glyph} [${Math.round(font.widthOf(glyph))}]`).join(' ')
  return [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [${first + 1} 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /CIDToGIDMap /Identity /W [${widths}]
       /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${first + 2} 0 R >>`,
    `<< /Type /FontDescriptor /FontName /Plain /Flags ${FONT_FLAGS} /FontBBox [-200 -300 1200 1000] /ItalicAngle 0
       /Ascent 905 /Descent -212 /CapHeight 729 /StemV 80 /FontFile2 ${first + 3} 0 R >>`,
    streamOf(font.bytes)
  ]
}

const streamOf = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<< /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')])

/** A PDF of these objects, numbered from 1; the first is its catalog. */
export function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = 9
  const push = (part: Buffer): void => {
    parts.push(part)
    length += part.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  }
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
    )
  )
  return Buffer.concat(parts)
}
