import { foldName } from '../columns.ts'

/** Cells that must be column names before a row is taken for a header. */
const LEAST_NAMES = 3
/** Cells looked at to pass over ordinary rows cheaply. */
const PEEKED = 3
const BYTE_ORDER_MARK = 0xfeff

/** Tells rows that are a file's own header again, or the header of another file put behind it. */
export class HeaderAgain {
  readonly #names: readonly string[]
  readonly #known: ReadonlySet<string>
  /** First letter and length of each name: tells almost every row from a header without folding. */
  readonly #shapes: ReadonlySet<number>

  constructor(columns: readonly string[]) {
    this.#names = columns.map(foldName)
    this.#known = new Set(this.#names)
    this.#shapes = new Set(columns.map(shapeOf))
  }

  /** `own`: the header again. `foreign`: at least half of the cells that are filled are column names, in other places. */
  read(cells: readonly string[]): 'own' | 'foreign' | null {
    if (this.#isOwn(cells)) return 'own'
    return this.#mayBeForeign(cells) && this.#isForeign(cells) ? 'foreign' : null
  }

  #isOwn(cells: readonly string[]): boolean {
    const names = this.#names
    const [first = ''] = cells
    if (cells.length !== names.length || names.length < 2) return false
    // Folding is dear; the first character tells almost every row from the header.
    if (!beginsBlank(first) && first[0]?.toLowerCase() !== names[0]?.[0]) return false
    return cells.every((cell, index) => {
      const name = foldName(cell)
      return name === names[index] || (name === '' && /^#*\d+$/.test(names[index] ?? ''))
    })
  }

  #mayBeForeign(cells: readonly string[]): boolean {
    for (let index = 0; index < PEEKED; index++) if (this.#shapes.has(shapeOf(cells[index] ?? ''))) return true
    return false
  }

  #isForeign(cells: readonly string[]): boolean {
    const filled = cells.map(foldName).filter(name => name !== '')
    const named = new Set(filled.filter(name => this.#known.has(name) && !/^#*\d+$/.test(name)))
    return named.size >= LEAST_NAMES && named.size * 2 >= filled.length
  }
}

function shapeOf(name: string): number {
  return name.length * 0x100 + ((name.charCodeAt(0) || 0) & 0xdf)
}

function beginsBlank(cell: string): boolean {
  return cell === '' || cell.charCodeAt(0) <= 32 || cell.charCodeAt(0) === BYTE_ORDER_MARK
}
