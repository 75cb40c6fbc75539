import { number, type Shown, stepOf } from './drawing.ts'
import { textOfGlyph } from './fonts.ts'
import { combine } from './geometry.ts'
import { type Glyph, UNMAPPED } from './glyph.ts'

/** Adds the glyphs of one text operator, placed on the displayed page; `unreadable` when its font's text is none. */
export function placeGlyphs(shown: Shown, unreadable: boolean, glyphs: Glyph[]): void {
  const { state } = shown
  const { font } = state
  const matrix = combine(state.ctm, state.text)
  const size = state.size * Math.hypot(matrix[2], matrix[3])
  const across = state.scale * state.direction
  const angle = font.vertical ? Math.atan2(-matrix[3], -matrix[2]) : Math.atan2(matrix[1] * across, matrix[0] * across)
  const stretch = font.vertical ? Math.hypot(matrix[2], matrix[3]) : Math.hypot(matrix[0], matrix[1]) * Math.abs(across)
  const invisible = state.mode === 3 || state.mode === 7 || state.alpha === 0 || shown.layerHidden || size < 0.5
  let pen = 0
  for (const raw of shown.glyphs) {
    if (typeof raw === 'number') {
      pen += stepOf(state, raw)
      continue
    }
    const x = state.x + (font.vertical ? 0 : pen * across)
    const y = state.y + state.rise + (font.vertical ? pen : 0)
    const text = unreadable ? UNMAPPED : textOfGlyph(raw, font)
    const width = font.vertical ? number(raw.vmetric?.[0] ?? -1000) : number(raw.width)
    glyphs.push({
      text,
      x: matrix[0] * x + matrix[2] * y + matrix[4],
      y: matrix[1] * x + matrix[3] * y + matrix[5],
      angle,
      advance: Math.abs(width * state.size * font.unit) * stretch,
      size,
      bold: font.bold || state.mode === 2,
      vertical: font.vertical,
      hidden: invisible,
      colour: state.mode % 4 === 0 || state.mode % 4 === 2 ? state.fill : null,
      unmapped: text === UNMAPPED,
      space: text.trim() === '',
      run: shown.run,
      order: shown.order
    })
    pen += stepOf(state, raw)
  }
}
