import { withoutUnseen } from '../../unseen-signs.ts'
import { UNMAPPED } from './glyph.ts'

/** What a glyph of a text operator carries, as far as it is read. */
export interface RawGlyph {
  readonly unicode: string
  readonly originalCharCode: number
  readonly width: number
  readonly vmetric?: readonly [number, number, number]
  readonly isSpace: boolean
}

/** What the reader needs to know of a font. */
export interface FontFacts {
  readonly bold: boolean
  readonly vertical: boolean
  readonly composite: boolean
  readonly type3: boolean
  /** Horizontal units of its glyph space. */
  readonly unit: number
  /** Character code → glyph name where the font's encoding differs from its base. */
  readonly differences: ReadonlyMap<number, string>
}

export const NO_FONT: FontFacts = {
  bold: false,
  vertical: false,
  composite: false,
  type3: false,
  unit: 0.001,
  differences: new Map()
}

const BOLD_NAME = /bold|black|heavy|demi/i

/** Reads the facts out of whatever pdfjs gives for a font, which is an error text when it could not be loaded. */
export function fontFacts(font: unknown): FontFacts {
  if (typeof font !== 'object' || font === null) return NO_FONT
  const part = (name: string): unknown => Reflect.get(font, name)
  const matrix = part('fontMatrix')
  const unit = Array.isArray(matrix) ? Number(matrix[0]) : Number.NaN
  const fontName = part('name')
  const name = typeof fontName === 'string' ? fontName : ''
  const differences = part('differences')
  return {
    bold: part('bold') === true || part('black') === true || BOLD_NAME.test(name),
    vertical: part('vertical') === true,
    composite: part('composite') === true,
    type3: part('isType3Font') === true,
    unit: Number.isFinite(unit) && unit !== 0 ? Math.abs(unit) : 0.001,
    differences: differences instanceof Map ? differences : new Map()
  }
}

// Glyph names of the Adobe Glyph List that stand for more than one letter or for common signs.
const NAMED: Readonly<Record<string, string>> = {
  ff: 'ff',
  fi: 'fi',
  fl: 'fl',
  ffi: 'ffi',
  ffl: 'ffl',
  f_f: 'ff',
  f_i: 'fi',
  f_l: 'fl',
  f_f_i: 'ffi',
  f_f_l: 'ffl',
  space: ' ',
  nbspace: ' ',
  period: '.',
  comma: ',',
  colon: ':',
  semicolon: ';',
  hyphen: '-',
  minus: '-',
  endash: '–',
  emdash: '—',
  slash: '/',
  dollar: '$',
  sterling: '£',
  Euro: '€',
  cent: '¢',
  percent: '%',
  numbersign: '#',
  ampersand: '&',
  at: '@',
  plus: '+',
  equal: '=',
  asterisk: '*',
  underscore: '_',
  parenleft: '(',
  parenright: ')',
  bracketleft: '[',
  bracketright: ']',
  quotesingle: "'",
  quoteright: '’',
  quoteleft: '‘',
  quotedblleft: '“',
  quotedblright: '”',
  quotedbl: '"',
  bullet: '•',
  section: '§',
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9'
}
const UNI_NAME = /^u(?:ni)?([0-9A-F]{4,6})$/

/** The text a glyph name stands for by the Adobe Glyph List's rules, or null. */
export function textOfGlyphName(name: string): string | null {
  if (/^[A-Za-z]$/.test(name)) return name
  const known = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
  if (known !== undefined) return known
  const code = UNI_NAME.exec(name)?.[1]
  if (code === undefined) return null
  const point = Number.parseInt(code, 16)
  return point >= 0x20 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : null
}

function isControl(text: string): boolean {
  const code = text.charCodeAt(0)
  return Number.isNaN(code) || code < 0x20 || (code >= 0x7f && code < 0xa0)
}

/** U+FB00–FB06 are letters joined for looks; nobody searches or writes a name with them. */
function withoutLigatures(text: string): string {
  return text >= '\ufb00' && text < '\ufb07' ? text.normalize('NFKC') : text
}

/**
 * The text of one glyph. A font whose map gives a control character (most often NUL for ligatures) is
 * asked for the glyph's name; without a name the text is U+FFFD, never a control character. Empty for a sign without width.
 */
export function textOfGlyph(glyph: RawGlyph, font: FontFacts): string {
  const { unicode } = glyph
  if (unicode.length === 1 && unicode > ' ' && unicode < '\u007f') return unicode
  if (unicode === '\t' || unicode === '\n' || unicode === '\r') return ' '
  if (unicode === '\u00a0') return ' '
  // Fonts call their hyphen a soft one; what is drawn is seen.
  if (unicode === '\u00ad') return '-'
  if (!isControl(unicode)) return unicode.isWellFormed() ? withoutUnseen(withoutLigatures(unicode)) : UNMAPPED
  const name = font.differences.get(glyph.originalCharCode)
  return (name === undefined ? null : textOfGlyphName(name)) ?? UNMAPPED
}

/**
 * True for a font that was embedded without a map to Unicode: its "characters" are glyph numbers. Seen
 * when every character equals its code and some are control characters, which no written text holds.
 */
export function isGlyphNumbers(font: FontFacts, glyphs: Iterable<RawGlyph>): boolean {
  if (!font.composite) return false
  let control = false
  for (const glyph of glyphs) {
    if (glyph.unicode.length > 2 || glyph.unicode.codePointAt(0) !== glyph.originalCharCode) return false
    control ||= isControl(glyph.unicode)
  }
  return control
}
