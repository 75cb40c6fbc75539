/** Builds PDF files object by object, so that a test says exactly what stands in them. */

/** A stream object with its length. */
export const stream = (data: string, entries = ''): string =>
  `<< /Length ${Buffer.byteLength(data, 'latin1')} ${entries} >>\nstream\n${data}\nendstream`

export interface RawPdf {
  /** Drawing operators of each page. Fonts: /F Helvetica, /B its bold. */
  readonly pages: readonly string[]
  /** Entries of every page, such as `/Annots [20 0 R]`. */
  readonly page?: string
  /** Entries of the catalogue and of the pages' resources. */
  readonly catalog?: string
  readonly resources?: string
  /** More objects by their number, from 20 on. */
  readonly objects?: Readonly<Record<number, string>>
}

const FONTS = '/F 3 0 R /B 4 0 R'
const TYPE1 = (name: string): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`

function objectsOf({ pages, page = '', catalog = '', resources = '', objects = {} }: RawPdf): Map<number, string> {
  const first = 100
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')
  const all = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`],
    [3, TYPE1('Helvetica')],
    [4, TYPE1('Helvetica-Bold')]
  ])
  for (const [number, object] of Object.entries(objects)) all.set(Number(number), object)
  for (const [at, content] of pages.entries()) {
    const number = first + 2 * at
    const box = '/MediaBox [0 0 612 792]'
    const own = `/Resources << /Font << ${FONTS} >> ${resources} >>`
    all.set(number, `<< /Type /Page /Parent 2 0 R ${box} /Contents ${number + 1} 0 R ${own} ${page} >>`)
    all.set(number + 1, stream(content))
  }
  return all
}

/** A table of objects with gaps, as ISO 32000 writes it. */
function tableOf(places: ReadonlyMap<number, number>): string {
  const rows = [...places].toSorted(([a], [b]) => a - b)
  return rows.map(([number, place]) => `${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`).join('')
}

/** The file. */
export function rawPdf(made: RawPdf): string {
  const objects = objectsOf(made)
  let body = '%PDF-1.7\n'
  const places = new Map<number, number>()
  for (const [number, object] of objects) {
    places.set(number, body.length)
    body += `${number} 0 obj\n${object}\nendobj\n`
  }
  const size = Math.max(...objects.keys()) + 1
  const table = `xref\n0 1\n0000000000 65535 f \n${tableOf(places)}`
  return `${body}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}

/** A file with objects of it replaced by an update that is appended, as programs save changes. */
export function updatedPdf(file: string, objects: Readonly<Record<number, string>>): string {
  let body = file
  const places = new Map<number, number>()
  for (const [number, object] of Object.entries(objects)) {
    places.set(Number(number), body.length)
    body += `${number} 0 obj\n${object}\nendobj\n`
  }
  const before = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
  const size = Number(/\/Size (\d+)/.exec(file)?.[1])
  const table = `xref\n${tableOf(places)}`
  return `${body}${table}trailer\n<< /Size ${size} /Root 1 0 R /Prev ${before} >>\nstartxref\n${body.length}\n%%EOF\n`
}

/** A text operator at a place, from the lower left of the page. */
export const show = (x: number, y: number, text: string, { font = 'F', size = 10 } = {}): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET\n`
