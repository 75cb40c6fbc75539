import { unescapeText } from './cell.ts'
import type { StringTable } from './string-table.ts'
import type { WorkbookParts } from './workbook.ts'
import { corrupt, readWhole, type XmlHandler } from './xml.ts'

/** Longest text that is gathered: a spreadsheet's cell holds 32,767 characters. */
const MAX_CHARACTERS = 100_000

/** Gathers the text of a string item: its runs in order, without the phonetic ones. */
export class TextRuns {
  #text = ''
  #isInText = false
  #phonetic = 0

  begin(): void {
    this.#text = ''
    this.#isInText = false
    this.#phonetic = 0
  }

  open(name: string): void {
    if (name === 'rPh') this.#phonetic += 1
    if (name === 't') this.#isInText = this.#phonetic === 0
  }

  text(text: string): void {
    if (!this.#isInText) return
    if (this.#text.length + text.length > MAX_CHARACTERS) throw corrupt('a text is longer than a cell can hold')
    this.#text += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic -= 1
    if (name === 't') this.#isInText = false
  }

  result(): string {
    return this.#text
  }
}

/** Reads all shared texts of a workbook into `table`. Throws `WorkbookFault`. */
export async function readSharedStrings(parts: WorkbookParts, part: string | null, table: StringTable): Promise<void> {
  if (part === null) return
  const runs = new TextRuns()
  const handler: XmlHandler = {
    open(name) {
      if (name === 'si') runs.begin()
      else runs.open(name)
    },
    text: text => runs.text(text),
    close(name) {
      if (name === 'si') table.add(unescapeText(runs.result()))
      else runs.close(name)
    }
  }
  await readWhole(parts.open(part), handler)
}
