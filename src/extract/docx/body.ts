import type { Paragraph } from '../../model/document-text.ts'
import { withoutUnseen } from '../unseen-signs.ts'
import { type Budget, spend } from './budget.ts'
import { isHidden, isShading, lookAt, PLAIN, type RunLook } from './look.ts'
import type { Numbering } from './numbering.ts'
import { Sections } from './sections.ts'
import { isOn, type Styles } from './styles.ts'
import { type CellPlace, type OpenCell, TableTracker } from './tables.ts'
import { type Attributes, readXml } from './xml.ts'

/** Where a part's text goes to, and what is known before it is read. */
export interface BodyTarget {
  readonly styles: Styles
  readonly flags: Set<string>
  readonly paragraphs: Paragraph[]
  readonly budget: Budget
  readonly numbering: Numbering
}

/**
 * Reads the body, a header, a footer or the notes of a document, and adds their paragraphs and cells. Answers what the
 * sections of a body show beside it.
 */
export function readBody(source: Buffer, target: BodyTarget): Sections {
  const reader = new BodyReader(target)
  readXml(source, {
    open: (name, attributes) => reader.open(name, attributes),
    text: text => reader.text(text),
    close: name => reader.close(name)
  })
  return reader.sections
}

interface OpenParagraph {
  text: string
  boldLetters: number
  style: string
  isShaded: boolean
  /** Its own list and level; null where it says nothing. */
  list: string | null
  level: number | null
}

/** Text of a table cell, gathered over its paragraphs. */
interface OpenCellText {
  readonly cell: OpenCell
  readonly paragraphs: { text: string; bold: boolean }[]
}

/** What a drop-down or check box of the old kind of form shows, gathered until its field begins. */
interface FormField {
  kind: 'none' | 'check' | 'list'
  ticked: boolean
  readonly entries: string[]
  chosen: number
}

// Their content is not what the document shows: deletions, the older drawing of what a choice draws anew,
// field codes, reading aids over East Asian text, settings that only look like content, and settings as they were before.
const LEFT_OUT = new Set([
  'del',
  'moveFrom',
  'delText',
  'instrText',
  'delInstrText',
  'rt',
  'sectPr',
  'docPartObj',
  'pPrChange',
  'rPrChange',
  'tcPrChange',
  'numberingChange'
])
const CHANGES = new Set(['ins', 'del', 'moveFrom', 'moveTo', 'cellIns', 'cellDel', 'cellMerge'])
const SIGNS: Readonly<Record<string, string>> = { cr: '\n', noBreakHyphen: '-', ptab: '\t', tab: '\t', br: '\n' }
// Check marks of the symbol fonts, without the private-use prefix they may carry.
const TICKED = new Set(['FE', 'FD', '52', '53', '54', 'FC', 'FB', '78'])
const UNTICKED = new Set(['A8', '6F', 'A3', '71', '72'])

/** Elements with a background of their own. */
const GROUNDS = new Set(['tc', 'txbxContent'])

function setParagraph(paragraph: OpenParagraph, name: string, attributes: Attributes): void {
  const value = attributes.get('val') ?? ''
  if (name === 'pStyle') paragraph.style = value
  else if (name === 'shd') paragraph.isShaded = isShading(attributes)
  else if (name === 'numId') paragraph.list = value
  else if (name === 'ilvl') paragraph.level = Number(value)
}

class BodyReader {
  private readonly target: BodyTarget
  private readonly names: string[] = []
  private readonly openParagraphs: OpenParagraph[] = []
  private readonly tables = new TableTracker()
  private readonly cells: OpenCellText[] = []
  private readonly choices: boolean[] = []
  private readonly controls: { placeholder: boolean }[] = []
  private run: RunLook = { ...PLAIN }
  /** Backgrounds of other kinds than a paragraph's own: of a page, a shape or a cell. */
  private grounds = 0
  readonly sections = new Sections()
  private field: FormField = { kind: 'none', ticked: false, entries: [], chosen: 0 }
  private leftOut = 0

  constructor(target: BodyTarget) {
    this.target = target
  }

  open(name: string, attributes: Attributes): void {
    spend(this.target.budget, 1, 0)
    const parent = this.names.at(-1) ?? ''
    this.names.push(name)
    if (CHANGES.has(name)) this.target.flags.add('TRACKED_CHANGES')
    this.sections.open(name, attributes, isOn(attributes.get('val')))
    if (name === 'background') this.grounds += 1
    if (GROUNDS.has(name)) this.grounds += 1
    if (name === 'AlternateContent') this.choices.push(false)
    if (this.leftOut > 0 || this.isLeftOut(name)) {
      this.leftOut += 1
      return
    }
    if (name === 'Choice' && this.choices.length > 0) this.choices[this.choices.length - 1] = true
    this.openStructure(name, attributes)
    this.openProperty(name, parent, attributes)
    this.openContent(name, parent, attributes)
  }

  text(text: string): void {
    const name = this.names.at(-1)
    if (this.leftOut === 0 && name === 't') this.add(text)
  }

  close(name: string): void {
    this.names.pop()
    if (GROUNDS.has(name)) this.grounds -= 1
    if (name === 'AlternateContent') this.choices.pop()
    if (this.leftOut > 0) {
      this.leftOut -= 1
      return
    }
    if (name === 'p') this.closeParagraph()
    else if (name === 'tc') this.closeCell()
    else if (name === 'tbl') this.tables.closeTable()
    else if (name === 'sdt') this.controls.pop()
    else if (name === 'r') this.run = { ...PLAIN }
    else if (name === 'ffData') this.addFormField()
  }

  private isLeftOut(name: string): boolean {
    return LEFT_OUT.has(name) || (name === 'Fallback' && this.choices.at(-1) === true)
  }

  private openStructure(name: string, attributes: Attributes): void {
    if (name === 'p') {
      this.openParagraphs.push({ text: '', boldLetters: 0, style: '', isShaded: false, list: null, level: null })
    } else if (name === 'tbl') this.tables.openTable()
    else if (name === 'tr') this.tables.openRow()
    else if (name === 'gridBefore') this.tables.skipColumns(countOf(attributes))
    else if (name === 'gridSpan') this.tables.spanColumns(countOf(attributes))
    else if (name === 'vMerge') this.tables.mergeDown(attributes.get('val') === 'restart')
    else if (name === 'sdt') this.controls.push({ placeholder: false })
    else if (name === 'altChunk') this.target.flags.add('ALT_CHUNK')
    else if (name === 'subDoc') this.target.flags.add('SUBDOCUMENT')
    else if (name === 'tc') this.openCell()
  }

  private openProperty(name: string, parent: string, attributes: Attributes): void {
    const control = this.controls.at(-1)
    if (name === 'showingPlcHdr' && control) control.placeholder = isOn(attributes.get('val'))
    if (parent === 'rPr' && this.names.at(-3) === 'r') lookAt(this.run, name, attributes)
    const paragraph = this.openParagraphs.at(-1)
    const isOfParagraph = parent === 'pPr' || parent === 'numPr'
    if (paragraph && isOfParagraph) setParagraph(paragraph, name, attributes)
    if (this.names.includes('ffData')) this.openFormField(name, attributes)
  }

  private openContent(name: string, parent: string, attributes: Attributes): void {
    if (parent !== 'r') return
    const sign = SIGNS[name]
    if (sign !== undefined) this.add(sign)
    if (name === 'sym') this.add(symbolOf(attributes.get('char') ?? ''))
  }

  private add(shown: string): void {
    const paragraph = this.openParagraphs.at(-1)
    const text = withoutUnseen(shown)
    if (!paragraph || text === '' || this.controls.some(control => control.placeholder)) return
    const around = { style: paragraph.style, isShaded: paragraph.isShaded || this.grounds > 0 }
    if (isHidden(this.run, this.target.styles, around)) {
      if (text.trim() !== '') this.target.flags.add('HIDDEN_TEXT')
      return
    }
    spend(this.target.budget, 0, text.length)
    paragraph.text += text.toWellFormed()
    const bold = this.run.bold ?? this.target.styles.get(paragraph.style)?.bold ?? false
    if (bold) paragraph.boldLetters += text.trim().length
  }

  private closeParagraph(): void {
    const paragraph = this.openParagraphs.pop()
    if (!paragraph) return
    // A paragraph of a list is counted whether it holds text or not.
    const label = this.labelOf(paragraph)
    const own = paragraph.text.trim()
    if (own === '') return
    const text = label === '' ? own : `${label} ${own}`
    const bold = paragraph.boldLetters * 2 > own.length
    const cell = this.tables.cell
    const open = this.cells.at(-1)
    // A text box inside a cell's paragraph belongs to the cell as well.
    if (cell && open?.cell === cell) open.paragraphs.push({ text, bold })
    else this.emit({ text, bold, heading: this.target.styles.get(paragraph.style)?.heading ?? 0 })
  }

  private labelOf({ list, level, style }: OpenParagraph): string {
    const byStyle = this.target.styles.get(style)
    const number = list ?? byStyle?.list ?? null
    return number === null ? '' : this.target.numbering.next({ list: number, level: level ?? byStyle?.level ?? 0 })
  }

  private openCell(): void {
    this.tables.openCell()
    const { cell } = this.tables
    if (cell) this.cells.push({ cell, paragraphs: [] })
  }

  private closeCell(): void {
    const { cell } = this.tables
    this.tables.closeCell()
    if (!cell) return
    const open = this.cells.pop()
    if (!open || open.paragraphs.length === 0 || cell.continues) return
    const bold = open.paragraphs.every(paragraph => paragraph.bold)
    this.emit({ text: open.paragraphs.map(paragraph => paragraph.text).join('\n'), bold, heading: 0, cell: cell.place })
  }

  /** The cell's place itself is kept, not a copy: cells below may still lengthen it. */
  private emit(paragraph: Omit<Paragraph, 'index'> & { readonly cell?: CellPlace }): void {
    const { paragraphs } = this.target
    paragraphs.push({ index: paragraphs.length + 1, ...paragraph })
  }

  private openFormField(name: string, attributes: Attributes): void {
    const value = attributes.get('val')
    if (name === 'ffData') this.field = { kind: 'none', ticked: false, entries: [], chosen: 0 }
    else if (name === 'checkBox') this.field.kind = 'check'
    else if (name === 'ddList') this.field.kind = 'list'
    else if (name === 'checked') this.field.ticked = isOn(value)
    else if (name === 'default' && this.field.kind === 'check') this.field.ticked = isOn(value)
    else if (name === 'result') this.field.chosen = Number(value)
    else if (name === 'listEntry') this.field.entries.push(value ?? '')
  }

  private addFormField(): void {
    const { kind, ticked, entries, chosen } = this.field
    if (kind === 'check') this.add(ticked ? '☒' : '☐')
    if (kind === 'list') this.add(entries[chosen] ?? '')
  }
}

function countOf(attributes: Attributes): number {
  const count = Number(attributes.get('val'))
  // No table has more columns than the format's own limit of 63, and none fewer than one.
  return Number.isInteger(count) && count >= 1 ? Math.min(count, 63) : 1
}

function symbolOf(code: string): string {
  const low = code.toUpperCase().replace(/^F0/, '')
  if (TICKED.has(low)) return '☒'
  return UNTICKED.has(low) ? '☐' : ''
}
