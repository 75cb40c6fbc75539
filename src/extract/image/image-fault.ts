import type { ExtractFailure } from '../answer.ts'

/** Thrown by the readers of pictures for one that cannot be shown; says why. */
export class ImageFault extends Error {
  readonly failure: ExtractFailure

  constructor(
    reason: 'FILE_CORRUPT' | 'FILE_TRUNCATED' | 'FILE_TYPE_UNSUPPORTED' | 'PAGE_LIMIT' | 'EXTRACTION_FAILED',
    detail?: string
  ) {
    super(reason)
    this.name = 'ImageFault'
    this.failure = { ok: false, reason, ...(detail ? { detail } : {}) }
  }
}

/** Most pixels of a picture: a sheet of 24 by 36 inches at 300 dots an inch has 78 million. */
const MOST_PIXELS = 100_000_000
const MOST_SIDE = 65_000

/** Refuses pictures that have no size, or are larger than is unpacked. Nothing of one is touched before. */
export function checkSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new ImageFault('FILE_CORRUPT')
  if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS) {
    throw new ImageFault('EXTRACTION_FAILED', 'limit_pixels')
  }
}
