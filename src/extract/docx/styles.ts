import { readXml } from './xml.ts'

/** What a style says about its paragraphs, as far as it is read. */
export interface Style {
  /** 1–9 for headings, else 0. */
  readonly heading: number
  readonly bold: boolean
  /** Hidden text. */
  readonly vanishes: boolean
  /** The list its paragraphs belong to; null for none. */
  readonly list: string | null
  readonly level: number
}

export type Styles = ReadonlyMap<string, Style>

export const NO_STYLES: Styles = new Map()

interface RawStyle {
  base: string
  heading: number
  bold: boolean | null
  vanishes: boolean | null
  list: string | null
  level: number | null
}

const MAX_BASES = 20

/** Reads the style sheet; a style inherits what it does not say from the one it is based on. */
export function readStyles(source: Buffer): Styles {
  const raw = new Map<string, RawStyle>()
  let current: RawStyle | null = null
  readXml(source, {
    open(name, attributes) {
      const value = attributes.get('val') ?? ''
      if (name === 'style') {
        current = { base: '', heading: 0, bold: null, vanishes: null, list: null, level: null }
        raw.set(attributes.get('styleId') ?? '', current)
      } else if (current === null) return
      else if (name === 'basedOn') current.base = value
      else if (name === 'outlineLvl') current.heading = levelOf(Number(value) + 1)
      else if (name === 'b') current.bold = isOn(attributes.get('val'))
      else if (name === 'vanish') current.vanishes = isOn(attributes.get('val'))
      else if (name === 'numId') current.list = value
      else if (name === 'ilvl') current.level = Number(value)
      else if (name === 'name' && /^heading [1-9]$/i.test(value)) current.heading = levelOf(Number(value.slice(-1)))
    },
    close(name) {
      if (name === 'style') current = null
    }
  })
  return new Map([...raw.keys()].map(id => [id, resolve(raw, id)]))
}

function resolve(raw: ReadonlyMap<string, RawStyle>, id: string): Style {
  let heading = 0
  let bold: boolean | null = null
  let vanishes: boolean | null = null
  let list: string | null = null
  let level: number | null = null
  let style = raw.get(id)
  for (let step = 0; style && step < MAX_BASES; step++) {
    heading ||= style.heading
    bold ??= style.bold
    vanishes ??= style.vanishes
    list ??= style.list
    level ??= style.level
    style = raw.get(style.base)
  }
  return { heading, bold: bold ?? false, vanishes: vanishes ?? false, list, level: level ?? 0 }
}

function levelOf(level: number): number {
  return Number.isInteger(level) && level >= 1 && level <= 9 ? level : 0
}

/** The value of an on-off property, which is on when it is only named. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off'].includes(value)
}
