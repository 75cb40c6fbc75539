import { isOn, type Styles } from './styles.ts'
import type { Attributes } from './xml.ts'

/** How the letters of a run look, as far as it matters whether they are seen. */
export interface RunLook {
  bold: boolean | null
  vanishes: boolean | null
  style: string
  isWhite: boolean
  isTiny: boolean
  /** Something stands behind it that white letters can be read on. */
  isShaded: boolean
}

export const PLAIN: Readonly<RunLook> = {
  bold: null,
  vanishes: null,
  style: '',
  isWhite: false,
  isTiny: false,
  isShaded: false
}

/** Channels of a colour that is as good as white, of 255. */
const WHITE = 243
/** Half points; nobody reads letters of one point. */
const TINY = 2

const isWhite = (colour: string): boolean =>
  /^[0-9A-F]{6}$/i.test(colour) && [0, 2, 4].every(at => Number.parseInt(colour.slice(at, at + 2), 16) >= WHITE)

/** Whether shading puts another colour than that of paper behind text. */
export function isShading(attributes: Attributes): boolean {
  const fill = attributes.get('fill') ?? 'auto'
  return (fill !== 'auto' && !isWhite(fill)) || !['clear', 'nil', undefined].includes(attributes.get('val'))
}

/** Takes note of a property of a run. */
export function lookAt(look: RunLook, name: string, attributes: Attributes): void {
  const value = attributes.get('val')
  if (name === 'b') look.bold = isOn(value)
  else if (name === 'vanish') look.vanishes = isOn(value)
  else if (name === 'rStyle') look.style = value ?? ''
  else if (name === 'color') look.isWhite = isWhite(value ?? '')
  else if (name === 'sz') look.isTiny = Number(value) <= TINY
  else if (name === 'shd') look.isShaded = isShading(attributes)
  else if (name === 'highlight') look.isShaded = value !== 'none' && value !== 'white'
}

/** Whether letters are hidden: by themselves or their styles, by their size, or white with nothing behind them. */
export function isHidden(
  look: RunLook,
  styles: Styles,
  around: { readonly style: string; readonly isShaded: boolean }
): boolean {
  const byStyle = styles.get(look.style)?.vanishes || styles.get(around.style)?.vanishes
  if (look.vanishes ?? byStyle) return true
  return look.isTiny || (look.isWhite && !look.isShaded && !around.isShaded)
}
