import type { Box, Line, Word } from '../model/document-text.ts'

/** The line these words make; its box is around all of them. */
export function lineOfWords(words: readonly Word[]): Line {
  const box: Box = [
    Math.min(...words.map(word => word.box[0])),
    Math.min(...words.map(word => word.box[1])),
    Math.max(...words.map(word => word.box[2])),
    Math.max(...words.map(word => word.box[3]))
  ]
  return { text: words.map(word => word.text).join(' '), words, box }
}
