/** A part of a picture as it stands in a file: its data still packed, and the dictionary that says how. */
export interface PicturePart {
  /** Pixels of the picture, from its top left. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Entries of an image dictionary (ISO 32000-2, 8.9.5) besides type, size and length. */
  readonly entries: string
  readonly data: Uint8Array
  /** A stream of its own that `entries` refer to as `@`. */
  readonly side?: { readonly entries: string; readonly data: Uint8Array }
}

/** A picture that fills one page. */
export interface PicturePage {
  readonly width: number
  readonly height: number
  /** Dots an inch across and down; null when the file does not say. */
  readonly resolution: readonly [number, number] | null
  /** Degrees it has to be turned clockwise to be seen upright: a multiple of 90. */
  readonly rotate: number
  readonly parts: readonly PicturePart[]
}

const POINTS_PER_INCH = 72
/** Sheets whose longer side lies outside this are a wrong resolution, in inches; then it is that of a letter. */
const LONGER_SIDE = { least: 4, most: 24, usual: 11 }

/** Makes a PDF of pictures, one a page, without unpacking them. */
export function writePdf(pages: readonly PicturePage[]): Buffer {
  const objects: Buffer[] = []
  const add = (...body: readonly (string | Uint8Array)[]): number => objects.push(toBytes(body))
  const catalog = add('<< /Type /Catalog /Pages 2 0 R >>')
  const tree = add('')
  const kids = pages.map(page => addPage(page, tree, add))
  objects[tree - 1] = toBytes([
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map(kid => `${kid} 0 R`).join(' ')}] >>`
  ])
  return assemble(objects, catalog)
}

type Add = (...body: readonly (string | Uint8Array)[]) => number

const toBytes = (body: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(body.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

function addStream(add: Add, entries: string, data: Uint8Array): number {
  return add(`<< ${entries} /Length ${data.length} >>\nstream\n`, data, '\nendstream')
}

function addPage(page: PicturePage, tree: number, add: Add): number {
  const [width, height] = pointsOf(page)
  const names: string[] = []
  const drawn: string[] = []
  for (const part of page.parts) {
    const side = part.side ? addStream(add, part.side.entries, part.side.data) : 0
    const entries = part.entries.replace('@', `${side} 0 R`)
    const size = `/Type /XObject /Subtype /Image /Width ${part.width} /Height ${part.height}`
    names.push(`/P${names.length} ${addStream(add, `${size} ${entries}`, part.data)} 0 R`)
    const bottom = page.height - part.y - part.height
    drawn.push(`q ${part.width} 0 0 ${part.height} ${part.x} ${bottom} cm /P${drawn.length} Do Q`)
  }
  const scale = `${width / page.width} 0 0 ${height / page.height} 0 0 cm`
  const content = addStream(add, '', Buffer.from(`${scale}\n${drawn.join('\n')}`, 'latin1'))
  return add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${page.rotate} /Contents ${content} 0 R
     /Resources << /XObject << ${names.join(' ')} >> >> >>`
  )
}

/** The size of the sheet in points: as the file says, if that can be. */
function pointsOf({ width, height, resolution }: PicturePage): readonly [number, number] {
  const said = resolution?.map((dots, axis) => (axis === 0 ? width : height) / dots) ?? []
  const longer = Math.max(...said)
  const isLikely =
    said.length === 2 && longer >= LONGER_SIDE.least && longer <= LONGER_SIDE.most && Math.min(...said) > 0
  const inches = isLikely ? said : [width, height].map(side => (side / Math.max(width, height)) * LONGER_SIDE.usual)
  const [across = 1, down = 1] = inches.map(inch => Math.round(inch * POINTS_PER_INCH * 100) / 100)
  return [Math.max(1, across), Math.max(1, down)]
}

function assemble(objects: readonly Buffer[], catalog: number): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let offset = parts[0]?.length ?? 0
  const offsets: number[] = []
  for (const [index, body] of objects.entries()) {
    const object = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.push(offset)
    offset += object.length
    parts.push(object)
  }
  const rows = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root ${catalog} 0 R >>\nstartxref\n${offset}\n%%EOF\n`
    )
  )
  return Buffer.concat(parts)
}
