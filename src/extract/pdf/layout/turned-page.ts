import type { Box, Line } from '../../../model/document-text.ts'
import type { Rectangle } from '../draw/geometry.ts'
import type { Glyph, Picture } from '../draw/glyph.ts'
import type { PageContent } from '../draw/interpret-page.ts'

const QUARTER = Math.PI / 2
// Below this share of the text a direction is a margin note or a column heading, not the page's.
const NEARLY_ALL = 0.8

/** How many quarter turns clockwise nearly all text of a page stands turned: 0–3. */
export function quarterOf(content: PageContent): number {
  const counts = [0, 0, 0, 0]
  for (const glyph of content.glyphs) {
    // Vertical writing runs down the page of an upright page.
    if (glyph.vertical || glyph.space) continue
    const quarter = ((Math.round(glyph.angle / QUARTER) % 4) + 4) % 4
    counts[quarter] = (counts[quarter] ?? 0) + 1
  }
  const total = counts.reduce((sum, count) => sum + count, 0)
  return Math.max(
    0,
    counts.findIndex(count => count > NEARLY_ALL * total)
  )
}

/** The page turned back by `quarter` quarter turns, so that its text reads from left to right. */
export function turnBack(content: PageContent, quarter: number): PageContent {
  if (quarter === 0) return content
  const { width, height } = content
  const turn = (x: number, y: number): readonly [number, number] => {
    const [shareX, shareY] = turnShare(x / width, y / height, quarter)
    return quarter % 2 === 1 ? [shareX * height, shareY * width] : [shareX * width, shareY * height]
  }
  const turnGlyph = (glyph: Glyph): Glyph => {
    const [x, y] = turn(glyph.x, glyph.y)
    return { ...glyph, x, y, angle: glyph.angle - quarter * QUARTER }
  }
  const turnArea = (area: Rectangle): Rectangle => {
    const [x0, y0] = turn(area.left, area.top)
    const [x1, y1] = turn(area.right, area.bottom)
    const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)]
    const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)]
    return { left, right, top, bottom }
  }
  const turnPicture = (picture: Picture): Picture => ({ ...turnArea(picture), order: picture.order })
  return {
    ...content,
    width: quarter % 2 === 1 ? height : width,
    height: quarter % 2 === 1 ? width : height,
    glyphs: content.glyphs.map(turnGlyph),
    pictures: content.pictures.map(turnPicture),
    // Lines that were level stand upright now, and the other way round.
    walls: (quarter === 2 ? content.walls : content.floors).map(turnArea),
    floors: (quarter === 2 ? content.floors : content.walls).map(turnArea)
  }
}

/** A line of a form field or a note, turned back with its page. */
export function turnLine(line: Line, quarter: number): Line {
  if (quarter === 0) return line
  const turnBox = (box: Box): Box => {
    const [x0, y0] = turnShare(box[0], box[1], quarter)
    const [x1, y1] = turnShare(box[2], box[3], quarter)
    return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]
  }
  return {
    text: line.text,
    words: line.words.map(word => ({ ...word, box: turnBox(word.box) })),
    box: turnBox(line.box)
  }
}

/** A point of the page, as shares of its width and height, after turning back. */
function turnShare(x: number, y: number, quarter: number): readonly [number, number] {
  if (quarter === 1) return [y, 1 - x]
  return quarter === 2 ? [1 - x, 1 - y] : [1 - y, x]
}
