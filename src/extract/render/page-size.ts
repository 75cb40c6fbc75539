/** Widths of page images in pixels: for a strip of thumbnails, for reading, for looking closely. */
export const PAGE_SIZES = { small: 240, medium: 1000, large: 2000 } as const
export type PageSize = keyof typeof PAGE_SIZES

/** A picture is at most so many times as high as wide; a longer page is drawn smaller. */
const MOST_HEIGHT = 3
/** What a page may measure in points, either way: ISO 32000 allows 14,400; what claims more is no page. */
const MOST_POINTS = 200_000

export interface Pixels {
  readonly width: number
  readonly height: number
}

/** The pixels of a page of so many points; null when that is no size a page can have. */
export function pixelsOf(width: number, height: number, size: PageSize): Pixels | null {
  if (!(width > 0 && height > 0 && width <= MOST_POINTS && height <= MOST_POINTS)) return null
  const most = PAGE_SIZES[size]
  const scale = Math.min(most / width, (most * MOST_HEIGHT) / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
