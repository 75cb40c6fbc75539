import { readXml } from './xml.ts'

interface Level {
  format: string
  /** Such as `%1.%2`: the numbers of the levels put together. */
  text: string
  start: number
}

interface List {
  readonly levels: Map<number, Level>
}

/** Which list a paragraph belongs to, and how deep. */
export interface ListPlace {
  readonly list: string
  readonly level: number
}

/** Numbers paragraphs as they come. */
export interface Numbering {
  /** What stands before the next paragraph of a list; empty for bullets and for lists that are not known. */
  next(place: ListPlace): string
}

const DEEPEST = 8
const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i']
]

function roman(count: number): string {
  let text = ''
  let left = Math.min(count, 3999)
  for (const [value, letters] of ROMAN) {
    while (left >= value) {
      text += letters
      left -= value
    }
  }
  return text
}

/** a to z, then aa to zz, as word processors go on. */
const letter = (count: number): string =>
  String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.min(20, 1 + Math.floor((count - 1) / 26)))

function ordinal(count: number): string {
  const ending = count % 100 >= 11 && count % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')
  return `${count}${ending}`
}

const FORMATS: Readonly<Record<string, (count: number) => string>> = {
  lowerRoman: roman,
  upperRoman: count => roman(count).toUpperCase(),
  lowerLetter: letter,
  upperLetter: count => letter(count).toUpperCase(),
  decimalZero: count => String(count).padStart(2, '0'),
  ordinal
}

const written = (count: number, format: string): string => FORMATS[format]?.(count) ?? String(count)

interface Definitions {
  /** By the number of the abstract definition. */
  readonly lists: Map<string, List>
  /** List → its abstract definition, and where its levels start when that is not where the definition says. */
  readonly uses: Map<string, { list: string; readonly starts: Map<number, number> }>
}

function readDefinitions(source: Buffer): Definitions {
  const definitions: Definitions = { lists: new Map(), uses: new Map() }
  let list: List | null = null
  let level: Level | null = null
  let use: { list: string; readonly starts: Map<number, number> } | null = null
  let overridden = 0
  const openLevel = (at: number): Level => {
    const opened = { format: 'decimal', text: '', start: 1 }
    list?.levels.set(at, opened)
    return opened
  }
  readXml(source, {
    open(name, attributes) {
      const value = attributes.get('val') ?? ''
      if (name === 'abstractNum')
        definitions.lists.set(attributes.get('abstractNumId') ?? '', (list = { levels: new Map() }))
      else if (name === 'num')
        definitions.uses.set(attributes.get('numId') ?? '', (use = { list: '', starts: new Map() }))
      else if (name === 'lvl') level = openLevel(Number(attributes.get('ilvl')))
      else if (name === 'lvlOverride') overridden = Number(attributes.get('ilvl'))
      else if (name === 'abstractNumId' && use) use.list = value
      else if (name === 'startOverride' && use) use.starts.set(overridden, Number(value))
      else if (name === 'numFmt' && level) level.format = value
      else if (name === 'lvlText' && level) level.text = value
      else if (name === 'start' && level) level.start = Number(value) || 0
    },
    close(name) {
      if (name === 'abstractNum') list = null
      else if (name === 'lvl') level = null
      else if (name === 'num') use = null
    }
  })
  return definitions
}

class CountedNumbering implements Numbering {
  private readonly definitions: Definitions
  /** By abstract definition: lists that share one go on counting. */
  private readonly counts = new Map<string, (number | undefined)[]>()
  private readonly begun = new Set<string>()

  constructor(definitions: Definitions) {
    this.definitions = definitions
  }

  next({ list: number, level }: ListPlace): string {
    const use = this.definitions.uses.get(number)
    const list = use && this.definitions.lists.get(use.list)
    const own = list?.levels.get(level)
    if (!use || !list || !own || level < 0 || level > DEEPEST) return ''
    const counts = this.counts.get(use.list) ?? []
    this.counts.set(use.list, counts)
    const restarted = this.begun.has(`${number}/${level}`) ? undefined : use.starts.get(level)
    this.begun.add(`${number}/${level}`)
    const before = counts[level]
    counts[level] = restarted ?? (before === undefined ? own.start : before + 1)
    // What is deeper begins anew.
    counts.length = level + 1
    if (own.format === 'bullet' || own.format === 'none') return ''
    return own.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const of = list.levels.get(at)
      return of ? written(counts[at] ?? of.start, of.format) : ''
    })
  }
}

const NONE: Numbering = { next: () => '' }

/** Numbering by the part that defines the lists of a document. */
export const numberingOf = (source: Buffer | undefined): Numbering =>
  source ? new CountedNumbering(readDefinitions(source)) : NONE
