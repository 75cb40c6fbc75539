import type { Line, Page, Word } from '../../model/document-text.ts'
import { lineOfWords } from '../line-of-words.ts'

/** What pdfjs makes of a form that is drawn by the reader's own program: HTML with places in pixels, one to a point. */
interface XfaNode {
  readonly name?: string
  readonly value?: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly children?: readonly XfaNode[]
}

const SIZE = 10
const ROW = 12
// Width of an average letter as a share of the font size.
const LETTER_WIDTH = 0.5
const MOST_DEPTH = 200
const SIDE_BY_SIDE = /\bxfa(?:Lr|Rl|LrTb|RlTb|Left|Right|Row)\b/

interface Place {
  readonly x: number
  readonly y: number
}

/** How much room something took. */
interface Extent {
  readonly width: number
  readonly height: number
}

const NOTHING: Extent = { width: 0, height: 0 }

const styleOf = (node: XfaNode, name: string): string => {
  const style = node.attributes?.['style']
  const value: unknown = typeof style === 'object' && style !== null ? Reflect.get(style, name) : undefined
  return typeof value === 'string' ? value : ''
}

const pixels = (node: XfaNode, name: string): number | null => {
  const found = /^(-?\d{1,6}(?:\.\d{1,12})?)px$/.exec(styleOf(node, name))?.[1]
  return found === undefined ? null : Number(found)
}

const classesOf = (node: XfaNode): string => {
  const classes = node.attributes?.['class']
  return Array.isArray(classes) ? classes.join(' ') : ''
}

const isHidden = (node: XfaNode): boolean =>
  styleOf(node, 'display') === 'none' ||
  styleOf(node, 'visibility') === 'hidden' ||
  node.attributes?.['hidden'] === true

/** What a field holds; null for what is no field. */
function valueOf({ name, attributes = {}, children = [] }: XfaNode): string | null {
  const { type, value, checked } = attributes
  const text = typeof value === 'string' ? value : ''
  if (name === 'textarea') return text
  if (name === 'select') {
    const chosen = children.filter(option => option.attributes?.['selected'])
    return chosen.map(option => (typeof option.value === 'string' ? option.value : '')).join(' ')
  }
  if (name !== 'input' || type === 'password') return name === 'input' ? '' : null
  return type === 'checkbox' || type === 'radio' ? (checked ? '☒' : '☐') : text
}

class Sheet {
  readonly lines: Line[] = []
  private readonly width: number
  private readonly height: number

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
  }

  write(text: string, { x, y }: Place, source: 'text' | 'form'): Extent {
    const rows = text
      .toWellFormed()
      .split(/\r\n|\r|\n/)
      .map(row => row.replaceAll(/\p{Cc}/gu, ' '))
    const share = (value: number, whole: number): number =>
      Math.round(Math.min(1, Math.max(0, value / whole)) * 100_000) / 100_000
    const letter = SIZE * LETTER_WIDTH
    for (const [at, row] of rows.entries()) {
      const top = y + at * ROW
      const words = Array.from(row.matchAll(/\S+/g), (match): Word => {
        const [left, right] = [x + match.index * letter, x + (match.index + match[0].length) * letter]
        const box = [
          share(left, this.width),
          share(top, this.height),
          share(right, this.width),
          share(top + ROW, this.height)
        ] as const
        return { text: match[0], box, size: SIZE, bold: false, source, confidence: 1 }
      })
      if (words.length > 0) this.lines.push(lineOfWords(words))
    }
    return { width: Math.max(...rows.map(row => row.length)) * letter, height: rows.length * ROW }
  }

  place(node: XfaNode, at: Place, depth = 0): Extent {
    if (depth > MOST_DEPTH || isHidden(node)) return NOTHING
    const value = valueOf(node)
    if (value !== null) return value.trim() === '' ? NOTHING : this.write(value, at, 'form')
    const own =
      typeof node.value === 'string' && node.value.trim() !== '' ? this.write(node.value, at, 'text') : NOTHING
    const inside = this.placeAll(node, { x: at.x, y: at.y + own.height }, depth)
    return {
      width: pixels(node, 'width') ?? Math.max(own.width, inside.width),
      height: pixels(node, 'height') ?? own.height + inside.height
    }
  }

  /** Children beside or below one another, as their parent says; those with a place of their own at that. */
  private placeAll(node: XfaNode, at: Place, depth: number): Extent {
    const isBeside = SIDE_BY_SIDE.test(classesOf(node))
    let [x, y, width, height] = [at.x, at.y, 0, 0]
    for (const child of node.children ?? []) {
      if (styleOf(child, 'position') === 'absolute') {
        this.place(child, { x: at.x + (pixels(child, 'left') ?? 0), y: at.y + (pixels(child, 'top') ?? 0) }, depth + 1)
        continue
      }
      const took = this.place(child, { x, y }, depth + 1)
      if (isBeside) x += took.width
      else y += took.height
      width = Math.max(width, x - at.x, took.width)
      height = Math.max(height, y - at.y, took.height)
    }
    return { width, height }
  }
}

/**
 * The page of a form that holds no drawing of itself. Its words stand in the order and about where the form says; the
 * program that shows such forms sets every letter itself.
 */
export function xfaPage(
  number: number,
  tree: unknown,
  page: { readonly width: number; readonly height: number }
): Page {
  const { width, height } = page
  const sheet = new Sheet(width, height)
  if (typeof tree === 'object' && tree !== null) sheet.place(tree, { x: 0, y: 0 })
  return { number, width, height, lines: sheet.lines, hasUsableText: sheet.lines.length > 0, imageShare: 0 }
}
