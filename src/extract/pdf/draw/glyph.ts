/** One drawn character, in points of the displayed page (y grows downwards). */
export interface Glyph {
  readonly text: string
  /** Where it starts on its base line. */
  readonly x: number
  readonly y: number
  /** Direction of writing in radians, and how far this character moves along it. */
  readonly angle: number
  readonly advance: number
  /** Height of the font. */
  readonly size: number
  readonly bold: boolean
  /** Written top to bottom by its font (vertical CJK). */
  readonly vertical: boolean
  /** Neither filled nor stroked, fully transparent, or outside the page. */
  readonly hidden: boolean
  /** `#rrggbb` it is filled with; null when it is not filled or with a pattern. */
  readonly colour: string | null
  /** No Unicode text is known for it; `text` is U+FFFD. */
  readonly unmapped: boolean
  /** A space between words as written. */
  readonly space: boolean
  /** Number of the run: glyphs placed by one positioning operator of the page. */
  readonly run: number
  /** Place in drawing order among glyphs and pictures. */
  readonly order: number
}

/** A picture as placed on the page, clipped to it. */
export interface Picture {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly order: number
}

export const UNMAPPED = '\ufffd'
