import { once } from 'node:events'
import Pdf from 'pdfkit'

/** Letter paper, in points. */
const PAGE = { width: 612, height: 792 }
/** Stated in every document in place of the moment of its making. */
const MADE_ON = new Date(Date.UTC(2025, 0, 15))

/** Where text goes on a page: points from its top left. */
export interface Sheet {
  text(x: number, y: number, text: string, style?: { readonly size?: number; readonly bold?: boolean }): void
  /** Text that ends at `x`, as amounts in a column do. */
  right(x: number, y: number, text: string, style?: { readonly bold?: boolean }): void
  /** Running text between the margins; gives the height it took. */
  paragraph(y: number, text: string): number
  line(y: number): void
  picture(png: Buffer): void
  nextPage(): void
}

export interface PdfOptions {
  readonly title: string
  /** With it the file opens only by this password. */
  readonly password?: string
}

/** A PDF drawn by the function. Dates and ids are fixed and streams uncompressed: the same bytes at every run. */
export async function pdfOf(options: PdfOptions, draw: (sheet: Sheet) => void): Promise<Buffer> {
  const document = new Pdf({
    size: 'LETTER',
    margin: 0,
    compress: false,
    pdfVersion: '1.4',
    info: { Title: options.title, CreationDate: MADE_ON, ModDate: MADE_ON },
    ...(options.password && { userPassword: options.password, ownerPassword: options.password })
  })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = once(document, 'end')
  draw(sheetOf(document))
  document.end()
  await ended
  return Buffer.concat(parts)
}

function sheetOf(document: PDFKit.PDFDocument): Sheet {
  const font = (bold = false, size = 10): PDFKit.PDFDocument =>
    document.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size)
  return {
    text(x, y, text, style = {}) {
      font(style.bold, style.size).text(text, x, y, { lineBreak: false })
    },
    right(x, y, text, style = {}) {
      font(style.bold).text(text, x - document.widthOfString(text), y, { lineBreak: false })
    },
    paragraph(y, text) {
      const width = PAGE.width - 144
      font().text(text, 72, y, { width, lineGap: 2 })
      return document.heightOfString(text, { width, lineGap: 2 })
    },
    line(y) {
      document
        .moveTo(72, y)
        .lineTo(PAGE.width - 72, y)
        .stroke()
    },
    picture(png) {
      document.image(png, 0, 0, PAGE)
    },
    nextPage() {
      document.addPage()
    }
  }
}
