import { number, type Shown, stepOf } from './drawing.ts'
import { textOfGlyph } from './fonts.ts'
import { combine, type Rectangle } from './geometry.ts'
import { type Glyph, UNMAPPED } from './glyph.ts'

/** Paint that lets nearly all through shows nothing that anybody could read. */
const LEAST_ALPHA = 0.05
/** How high capital letters reach, as a share of the font size. */
const HEIGHT = 0.7

/** How far a glyph goes along its line and above it, by the axes of the page. */
interface Reach {
  alongX: number
  alongY: number
  readonly highX: number
  readonly highY: number
}

/** Whether any of a glyph lies inside of what may be painted on; what is cut in part is still seen. */
function isInside(clip: Rectangle, x: number, y: number, reach: Reach): boolean {
  const { alongX, alongY, highX, highY } = reach
  return (
    x + Math.min(0, alongX) + Math.min(0, highX) < clip.right &&
    x + Math.max(0, alongX) + Math.max(0, highX) > clip.left &&
    y + Math.min(0, alongY) + Math.min(0, highY) < clip.bottom &&
    y + Math.max(0, alongY) + Math.max(0, highY) > clip.top
  )
}

/** Adds the glyphs of one text operator, placed on the displayed page; `unreadable` when its font's text is none. */
export function placeGlyphs(shown: Shown, unreadable: boolean, glyphs: Glyph[]): void {
  const { state } = shown
  const { font } = state
  const matrix = combine(state.ctm, state.text)
  const size = state.size * Math.hypot(matrix[2], matrix[3])
  const across = state.scale * state.direction
  const angle = font.vertical ? Math.atan2(-matrix[3], -matrix[2]) : Math.atan2(matrix[1] * across, matrix[0] * across)
  const stretch = font.vertical ? Math.hypot(matrix[2], matrix[3]) : Math.hypot(matrix[0], matrix[1]) * Math.abs(across)
  const invisible = state.mode === 3 || state.mode === 7 || state.alpha < LEAST_ALPHA || shown.layerHidden || size < 0.5
  const isClipped = state.clip.right !== Number.POSITIVE_INFINITY
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const reach: Reach = { alongX: 0, alongY: 0, highX: sin * size * HEIGHT, highY: -cos * size * HEIGHT }
  const bold = font.bold || state.mode === 2
  const colour = state.mode % 4 === 0 || state.mode % 4 === 2 ? state.fill : null
  let pen = 0
  for (const raw of shown.glyphs) {
    if (typeof raw === 'number') {
      pen += stepOf(state, raw)
      continue
    }
    const text = unreadable ? UNMAPPED : textOfGlyph(raw, font)
    const along = font.vertical ? 0 : pen * across
    const over = font.vertical ? pen : 0
    pen += stepOf(state, raw)
    if (text === '') continue
    const left = state.x + along
    const up = state.y + state.rise + over
    const x = matrix[0] * left + matrix[2] * up + matrix[4]
    const y = matrix[1] * left + matrix[3] * up + matrix[5]
    const width = font.vertical ? number(raw.vmetric?.[0] ?? -1000) : number(raw.width)
    const advance = Math.abs(width * state.size * font.unit) * stretch
    reach.alongX = cos * advance
    reach.alongY = sin * advance
    glyphs.push({
      text,
      x,
      y,
      angle,
      advance,
      size,
      bold,
      vertical: font.vertical,
      hidden: invisible || (isClipped && !isInside(state.clip, x, y, reach)),
      colour,
      unmapped: text === UNMAPPED,
      space: text === ' ' || text.trim() === '',
      run: shown.run,
      order: shown.order
    })
  }
}
