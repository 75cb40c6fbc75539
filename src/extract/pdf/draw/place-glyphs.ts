import { number, type Shown, stepOf } from './drawing.ts'
import { textOfGlyph } from './fonts.ts'
import { combine, type Rectangle } from './geometry.ts'
import { type Glyph, UNMAPPED } from './glyph.ts'

/** Paint that lets nearly all through shows nothing that anybody could read. */
const LEAST_ALPHA = 0.05
/** How high capital letters reach, as a share of the font size. */
const HEIGHT = 0.7

type Place = Pick<Glyph, 'x' | 'y' | 'angle' | 'advance' | 'size'>

/** Whether any of a glyph lies inside of what may be painted on; what is cut in part is still seen. */
function isInside(clip: Rectangle, { x, y, angle, advance, size }: Place): boolean {
  if (clip.right === Number.POSITIVE_INFINITY) return true
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [endX, endY] = [x + cos * advance, y + sin * advance]
  const [highX, highY] = [sin * size * HEIGHT, -cos * size * HEIGHT]
  return (
    Math.min(x, endX) + Math.min(0, highX) < clip.right &&
    Math.max(x, endX) + Math.max(0, highX) > clip.left &&
    Math.min(y, endY) + Math.min(0, highY) < clip.bottom &&
    Math.max(y, endY) + Math.max(0, highY) > clip.top
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
  let pen = 0
  for (const raw of shown.glyphs) {
    if (typeof raw === 'number') {
      pen += stepOf(state, raw)
      continue
    }
    const x = state.x + (font.vertical ? 0 : pen * across)
    const y = state.y + state.rise + (font.vertical ? pen : 0)
    const text = unreadable ? UNMAPPED : textOfGlyph(raw, font)
    if (text === '') {
      pen += stepOf(state, raw)
      continue
    }
    const width = font.vertical ? number(raw.vmetric?.[0] ?? -1000) : number(raw.width)
    const place = {
      x: matrix[0] * x + matrix[2] * y + matrix[4],
      y: matrix[1] * x + matrix[3] * y + matrix[5],
      angle,
      advance: Math.abs(width * state.size * font.unit) * stretch,
      size
    }
    glyphs.push({
      text,
      ...place,
      bold: font.bold || state.mode === 2,
      vertical: font.vertical,
      hidden: invisible || !isInside(state.clip, place),
      colour: state.mode % 4 === 0 || state.mode % 4 === 2 ? state.fill : null,
      unmapped: text === UNMAPPED,
      space: text.trim() === '',
      run: shown.run,
      order: shown.order
    })
    pen += stepOf(state, raw)
  }
}
