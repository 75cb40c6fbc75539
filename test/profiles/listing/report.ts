import Pdf from 'pdfkit'
import { readDocument } from '../../../src/extract/child/read-document.ts'
import type { DocumentText } from '../../../src/model/document-text.ts'

/** One cell: text, and where it begins in points; `right` for text that ends there. */
export type Cell = readonly [text: string, x: number, right?: 'right']
export type Row = readonly Cell[]

const SIZE = 9
const LINE = 12

/** A report as a spreadsheet prints it: every cell is a text of its own, each page a list of rows. */
export async function report(...pages: readonly (readonly Row[])[]): Promise<Buffer> {
  const pdf = new Pdf({ size: [792, 612], margin: 0, autoFirstPage: false })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>(resolve => pdf.on('end', () => resolve()))
  for (const rows of pages) {
    pdf.addPage().font('Helvetica').fontSize(SIZE)
    for (const [at, row] of rows.entries()) {
      for (const [text, x, side] of row) {
        const left = side === 'right' ? x - pdf.widthOfString(text) : x
        pdf.text(text, left, 40 + at * LINE, { lineBreak: false })
      }
    }
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** What the extractor reads of it. */
export async function readReport(...pages: readonly (readonly Row[])[]): Promise<DocumentText> {
  const answer = await readDocument(await report(...pages), 'application/pdf', { pages: 100, characters: 1_000_000 })
  if (!answer.ok) throw new Error(answer.reason)
  return answer.document
}

/** The columns of a narrow table: its head is centred, its cells begin at the left, amounts end at the right. */
export const HEAD: Row = [
  ['PERMIT #', 50],
  ['NAME', 130],
  ['ADDRESS', 225],
  ['TYPE OF CONST.', 320],
  ['PARCEL NO.', 420],
  ['APPROX. COST', 510],
  ['PERMIT FEE', 600]
]

export interface Permit {
  readonly number: string
  readonly name?: string
  readonly address?: string
  readonly type?: string
  readonly parcel?: string
  readonly cost?: string
  readonly fee?: string
}

/** A record as one row of that table; cells left out are blank. */
export function permitRow({ number, name, address, type, parcel, cost, fee }: Permit): Row {
  const cells: (Cell | null)[] = [
    [number, 50],
    name === undefined ? null : [name, 102],
    address === undefined ? null : [address, 205],
    type === undefined ? null : [type, 307],
    parcel === undefined ? null : [parcel, 415],
    cost === undefined ? null : ['$', 506],
    cost === undefined ? null : [cost, 585, 'right'],
    fee === undefined ? null : ['$', 595],
    fee === undefined ? null : [fee, 660, 'right']
  ]
  return cells.filter(cell => cell !== null)
}
