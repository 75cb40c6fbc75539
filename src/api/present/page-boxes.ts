import type { PageHead } from '../../extract/render/drawn-page.ts'
import type { Fields, Origin } from '../../model/envelope.ts'

/** Left, top, right, bottom in points from the top left corner of the upright page. */
export type PointBox = [number, number, number, number]

export interface FieldBox {
  readonly name: string
  /** The page the value stands on, or where the paragraph it stands in begins. */
  readonly page: number
  /** Null when the value is not on the page asked for. */
  readonly box: PointBox | null
}

/** Where the values of a record stand in its document, with boxes for those on this page. */
export function fieldBoxes(fields: Fields, head: PageHead, page: number): FieldBox[] {
  return Object.entries(fields).flatMap(([name, { origin, status }]) => {
    // What was looked for and not found has the place where it was looked for: often a whole page.
    if (status === 'absent' || status === 'not_applicable') return []
    const place = origin && placeOf(origin, head, page)
    return place ? [{ name, ...place }] : []
  })
}

function placeOf(origin: Origin, head: PageHead, page: number): Omit<FieldBox, 'name'> | null {
  if ('bbox' in origin) {
    return { page: origin.page, box: origin.page === page ? inPoints(origin.bbox, head) : null }
  }
  if (!('paragraph' in origin)) return null
  const begins = head.starts.findLastIndex(start => start !== null && start <= origin.paragraph) + 1
  if (begins === 0) return null
  const place = head.paragraphs.find(({ index }) => index === origin.paragraph)
  return { page: begins, box: place ? rounded(place.box) : null }
}

const inPoints = ([x0, y0, x1, y1]: readonly [number, number, number, number], { width, height }: PageHead): PointBox =>
  rounded([x0 * width, y0 * height, x1 * width, y1 * height])

const rounded = ([x0, y0, x1, y1]: readonly [number, number, number, number]): PointBox => {
  const round = (value: number): number => Math.round(value * 100) / 100
  return [round(x0), round(y0), round(x1), round(y1)]
}
