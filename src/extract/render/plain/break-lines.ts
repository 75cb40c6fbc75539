import type { Font } from './font.ts'

export interface BrokenLine {
  readonly text: string
  /** In units of the font size. */
  readonly width: number
}

/** Text as lines no wider than `most` times the font size: broken between words, and inside a word that is too long. */
export function breakLines(text: string, font: Font, most: number): BrokenLine[] {
  return text.split(/\r\n|\r|\n/).flatMap(row => breakRow(row.replaceAll('\t', '    '), font, most))
}

function breakRow(row: string, font: Font, most: number): BrokenLine[] {
  const lines: BrokenLine[] = []
  let line = ''
  let width = 0
  const end = (): void => {
    lines.push({ text: line.trimEnd(), width })
    line = ''
    width = 0
  }
  for (const [word] of row.matchAll(/ +|[^ ]+/g)) {
    const wordWidth = widthOf(word, font)
    if (width + wordWidth <= most) {
      line += word
      width += wordWidth
      continue
    }
    if (word.startsWith(' ')) {
      end()
      continue
    }
    if (width > 0) end()
    for (const letter of word) {
      const letterWidth = widthOf(letter, font)
      if (width + letterWidth > most && width > 0) end()
      line += letter
      width += letterWidth
    }
  }
  if (line !== '' || lines.length === 0) end()
  return lines
}

function widthOf(text: string, font: Font): number {
  let sum = 0
  for (const letter of text) sum += font.widthOf(font.glyphOf(letter.codePointAt(0) ?? 0))
  return sum / 1000
}
