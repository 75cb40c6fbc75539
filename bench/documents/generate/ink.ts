import { once } from 'node:events'
import Pdf from 'pdfkit'

/** Letter paper, in points. */
const PAGE = { width: 612, height: 792, bottom: 730 }
const MADE_ON = new Date(Date.UTC(2025, 0, 15))

export interface TextStyle {
  readonly size?: number
  readonly bold?: boolean
  readonly colour?: string
  /** White space between letters, in points. */
  readonly spacing?: number
  /** Drawn again with a hair between, as bold is imitated. */
  readonly twice?: boolean
}

export interface Furniture {
  readonly font: 'Helvetica' | 'Times' | 'Courier'
  readonly size: number
  /** Lines at the head and foot of every page. */
  readonly header?: string
  readonly footer?: (page: number) => string
}

const FONTS = {
  Helvetica: ['Helvetica', 'Helvetica-Bold'],
  Times: ['Times-Roman', 'Times-Bold'],
  Courier: ['Courier', 'Courier-Bold']
} as const

/** A PDF of what is drawn: the same bytes at every run. */
export async function pdfOf(furniture: Furniture, draw: (ink: Ink) => void): Promise<Buffer> {
  const document = new Pdf({
    size: 'LETTER',
    margin: 0,
    compress: true,
    info: { Title: 'Document', CreationDate: MADE_ON, ModDate: MADE_ON }
  })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = once(document, 'end')
  draw(new Ink(document, furniture))
  document.end()
  await ended
  return Buffer.concat(parts)
}

type Size = readonly [width: number, height: number]

/** Draws on pages; places are points from the top left. */
export class Ink {
  private page = 0
  private fields = 0
  private readonly document: PDFKit.PDFDocument
  private readonly furniture: Furniture

  constructor(document: PDFKit.PDFDocument, furniture: Furniture) {
    this.document = document
    this.furniture = furniture
    this.furnish()
  }

  text(x: number, y: number, text: string, style: TextStyle = {}): void {
    const options = { lineBreak: false, characterSpacing: style.spacing ?? 0 }
    this.font(style).text(text, x, y, options)
    if (style.twice) this.font(style).text(text, x + 0.3, y, options)
  }

  /** Text that ends at `x`. */
  right(x: number, y: number, text: string, style: TextStyle = {}): void {
    this.font(style).text(text, x - this.document.widthOfString(text), y, { lineBreak: false })
  }

  /** Running text in a column; gives where the next may begin. Goes on on a new page when the page is full. */
  flow(x: number, y: number, text: string, width = PAGE.width - 144): number {
    const { size } = this.furniture
    let at = y
    for (const line of linesOf(text, part => this.font().widthOfString(part), width)) {
      if (at > PAGE.bottom) {
        this.nextPage()
        at = 60
      }
      this.font().text(line, x, at, { lineBreak: false })
      at += size * 1.3
    }
    return at + size * 0.5
  }

  rule(y: number): void {
    this.document
      .moveTo(54, y)
      .lineTo(PAGE.width - 54, y)
      .lineWidth(0.6)
      .stroke('black')
  }

  frame(x: number, y: number, [width, height]: Size): void {
    this.document.rect(x, y, width, height).lineWidth(0.6).stroke('black')
  }

  fill(x: number, y: number, [width, height]: Size, colour: string): void {
    this.document.rect(x, y, width, height).fill(colour)
  }

  /** A form field with its value. */
  field(x: number, y: number, width: number, value: string): void {
    if (this.fields === 0) {
      this.font()
      this.document.initForm()
    }
    this.fields += 1
    this.document.formText(`field${this.fields}`, x, y, width, 14, { value, fontSize: 9 })
  }

  /** A note laid over the page (`FreeText`). */
  note(x: number, y: number, width: number, text: string): void {
    this.document.textAnnotation(x, y, width, 14, text)
  }

  nextPage(): void {
    this.document.addPage()
    this.furnish()
  }

  private font({ bold = false, size = this.furniture.size, colour = 'black' }: TextStyle = {}): PDFKit.PDFDocument {
    return this.document
      .font(FONTS[this.furniture.font][bold ? 1 : 0])
      .fontSize(size)
      .fillColor(colour)
  }

  private furnish(): void {
    const { header, footer } = this.furniture
    this.page += 1
    if (header) this.font({ size: 8 }).text(header, 54, 24, { lineBreak: false })
    if (footer) this.font({ size: 8 }).text(footer(this.page), 54, 764, { lineBreak: false })
  }
}

function linesOf(text: string, widthOf: (text: string) => number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}
