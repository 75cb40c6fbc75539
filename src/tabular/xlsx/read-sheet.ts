import { MAX_COLUMNS, MAX_RECORD_BYTES } from '../format.ts'
import { type CellContext, readSheetCell, type StoredCell, textOf } from './cell.ts'
import { TextRuns } from './shared-strings.ts'
import { isTrue } from './workbook.ts'
import { corrupt, readXml, WorkbookFault, type XmlHandler } from './xml.ts'

/** Highest row number a spreadsheet has. */
const MAX_ROW = 1_048_576
const MAX_COLUMN = 16_384
/** Merged areas that are told apart. */
const MAX_MERGES = 20_000
const MAX_VALUE = 100_000

export interface SheetRow {
  /** Its number in the sheet, from 1. */
  readonly line: number
  /** Up to the last one that is not blank; a hole for nothing is null. */
  readonly cells: readonly StoredCell[]
  /** Why none of its cells are kept. */
  readonly fault?: {
    readonly code: 'RECORD_TOO_LARGE' | 'ROW_UNPARSABLE' | 'CONTENT_OUTSIDE_READ'
    readonly detail: string
  }
  readonly isHidden: boolean
}

/** Rows and columns from 1, all included. */
export interface MergedArea {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

const REFERENCE = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/

/** Column and row, from 1, of a reference such as `B5`. Throws `WorkbookFault`. */
export function readReference(text: string): { readonly column: number; readonly row: number } {
  const [, letters = '', digits = ''] = REFERENCE.exec(text) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  if (column < 1 || column > MAX_COLUMN) throw corrupt('a cell has a reference that is none')
  return { column, row: Number(digits) }
}

/** Reads the XML of one sheet: rows that hold something, in order, and the merged areas, which stand behind them. */
export class SheetScanner implements XmlHandler {
  readonly merges: MergedArea[] = []
  /** Rows found and not taken yet. */
  rows: SheetRow[] = []
  /** Whether there is a sheet at all. */
  hasData = false
  readonly #context: CellContext
  readonly #recordBytes: number
  readonly #runs = new TextRuns()
  #row = 0
  #cells: StoredCell[] = []
  #size = 0
  #fault: SheetRow['fault'] | undefined
  #isHidden = false
  #isInRow = false
  #column = 0
  #type = ''
  #style = 0
  #value: string | null = null
  #isFormula = false
  #isInCell = false
  #isInValue = false

  /** `recordBytes`: the longest row that is read, in characters of its cells. */
  constructor(context: CellContext, recordBytes = MAX_RECORD_BYTES) {
    this.#context = context
    this.#recordBytes = recordBytes
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#isInCell) return this.#openInCell(name)
    if (name === 'c' && this.#isInRow) this.#beginCell(attributes)
    else if (name === 'row') this.#beginRow(attributes)
    else if (name === 'mergeCell') this.#merge(attributes['ref'] ?? '')
    else if (name === 'sheetData') this.hasData = true
  }

  text(text: string): void {
    if (this.#isInValue) {
      if ((this.#value?.length ?? 0) + text.length > MAX_VALUE) throw corrupt('a value is longer than a cell can hold')
      this.#value += text
    } else if (this.#isInCell) this.#runs.text(text)
  }

  close(name: string): void {
    if (this.#isInCell) this.#closeInCell(name)
    else if (name === 'row') this.#endRow()
  }

  #beginRow(attributes: Readonly<Record<string, string>>): void {
    const number = attributes['r'] === undefined ? this.#row + 1 : Number(attributes['r'])
    if (!Number.isInteger(number) || number <= this.#row || number > MAX_ROW) {
      throw corrupt(`rows are out of order behind row ${this.#row}`)
    }
    this.#row = number
    this.#column = 0
    this.#cells = []
    this.#size = 0
    this.#fault = undefined
    this.#isHidden = isTrue(attributes['hidden'])
    this.#isInRow = true
  }

  #endRow(): void {
    this.#isInRow = false
    const line = this.#row
    if (this.#fault !== undefined) this.rows.push({ line, cells: [], fault: this.#fault, isHidden: this.#isHidden })
    else if (this.#cells.some(cell => cell !== null && (typeof cell !== 'string' || cell.trim() !== ''))) {
      this.rows.push({ line, cells: this.#cells, isHidden: this.#isHidden })
    }
    this.#cells = []
  }

  #beginCell(attributes: Readonly<Record<string, string>>): void {
    const reference = attributes['r']
    const place = reference === undefined ? null : readReference(reference)
    const column = place?.column ?? this.#column + 1
    if (column <= this.#column || (place !== null && place.row !== this.#row)) {
      throw corrupt(`cells are out of order in row ${this.#row}`)
    }
    this.#column = column
    this.#type = attributes['t'] ?? 'n'
    this.#style = Number(attributes['s'] ?? '0')
    this.#value = null
    this.#isFormula = false
    this.#isInCell = true
    this.#runs.begin()
  }

  #openInCell(name: string): void {
    if (name === 'v') {
      this.#value = ''
      this.#isInValue = true
    } else if (name === 'f') this.#isFormula = true
    else if (this.#type === 'inlineStr') this.#runs.open(name)
  }

  #closeInCell(name: string): void {
    if (name === 'c') {
      this.#isInCell = false
      this.#endCell()
    } else if (name === 'v') this.#isInValue = false
    else this.#runs.close(name)
  }

  #endCell(): void {
    if (this.#fault !== undefined) return
    const text = this.#type === 'inlineStr' ? this.#runs.result() : this.#value
    const cell = readSheetCell(
      { type: this.#type, style: this.#style, text, isFormula: this.#isFormula },
      this.#context
    )
    if (cell === null || cell === '') return
    this.#size += textOf(cell).length
    if (this.#size > this.#recordBytes) {
      this.#refuse('RECORD_TOO_LARGE', `more than ${this.#recordBytes} characters`)
    } else if (this.#column > MAX_COLUMNS) {
      this.#refuse('ROW_UNPARSABLE', `a cell behind column ${MAX_COLUMNS}`)
    } else {
      while (this.#cells.length < this.#column - 1) this.#cells.push(null)
      this.#cells.push(cell)
    }
  }

  #refuse(code: 'RECORD_TOO_LARGE' | 'ROW_UNPARSABLE', detail: string): void {
    this.#fault = { code, detail }
    this.#cells = []
  }

  #merge(reference: string): void {
    if (this.merges.length >= MAX_MERGES) {
      throw new WorkbookFault('ROW_UNPARSABLE', `more than ${MAX_MERGES} merged areas`)
    }
    const [first = '', last = first] = reference.split(':', 2)
    const start = readReference(first)
    const end = readReference(last)
    this.merges.push({
      top: Math.min(start.row, end.row),
      left: Math.min(start.column, end.column),
      bottom: Math.max(start.row, end.row),
      right: Math.max(start.column, end.column)
    })
  }
}

/** The rows of a sheet, some at a time, as its XML arrives. */
export async function* readSheet(source: AsyncIterable<Uint8Array>, scanner: SheetScanner): AsyncGenerator<SheetRow[]> {
  for await (const _ of readXml(source, scanner)) {
    if (scanner.rows.length === 0) continue
    const { rows } = scanner
    scanner.rows = []
    yield rows
  }
  if (!scanner.hasData) throw corrupt('the sheet has no data part')
}
