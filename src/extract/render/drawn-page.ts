import { z } from 'zod'
import { PAGE_SIZES } from './page-size.ts'
import type { ParagraphPlace } from './plain/lay-out.ts'

/**
 * A page as drawn. `drawn` shows the page itself; `plain` sets the words read from a flowing document, which has no pages
 * of its own, and says where each paragraph stands.
 */
const pageSchema = z.strictObject({
  kind: z.enum(['drawn', 'plain']),
  /** Points, upright: as the boxes of what was read on it. */
  width: z.number().positive().max(1_000_000),
  height: z.number().positive().max(1_000_000),
  paragraphs: z
    .array(
      z.strictObject({
        index: z.int().positive(),
        box: z.tuple([z.number(), z.number(), z.number(), z.number()])
      })
    )
    .max(10_000),
  /** The first paragraph that begins on each page of a flowing document; null where none does. */
  starts: z.array(z.int().positive().nullable()).max(100_000)
})

const headSchema = z.strictObject({
  ok: z.literal(true),
  pageCount: z.int().min(0).max(10_000_000),
  /** Null when the document has fewer pages. */
  page: pageSchema.nullable()
})

/** What is known of a page besides its picture. */
export interface PageHead {
  readonly kind: 'drawn' | 'plain'
  readonly width: number
  readonly height: number
  readonly paragraphs: readonly ParagraphPlace[]
  readonly starts: readonly (number | null)[]
}

export interface DrawnHead {
  readonly ok: true
  readonly pageCount: number
  readonly page: PageHead | null
}

export interface DrawnPage extends DrawnHead {
  readonly png: Buffer
}

const LENGTH_BYTES = 4
const PNG_HEADER_BYTES = 33
const MOST_SIDE = 3 * PAGE_SIZES.large
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** What a drawing process sends: the length of the head, the head, the picture. */
export function encodeDrawn({ png, ...head }: DrawnPage): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, png])
}

/** Reads and checks it: the process has seen a hostile document. Throws when it is anything else. */
export function decodeDrawn(answer: Buffer): DrawnPage {
  const end = LENGTH_BYTES + answer.readUInt32BE()
  if (end > answer.length) throw new RangeError('the head of a page is cut off')
  const head = headSchema.parse(JSON.parse(answer.toString('utf8', LENGTH_BYTES, end)))
  const png = answer.subarray(end)
  if (head.page === null ? png.length > 0 : !isPicture(png)) throw new RangeError('the picture of a page is none')
  return { ...head, png }
}

/** A head as it was kept; null when it is none, as after a change of this code. */
export function readHead(value: unknown): DrawnHead | null {
  return headSchema.safeParse(value).data ?? null
}

function isPicture(png: Buffer): boolean {
  if (png.length < PNG_HEADER_BYTES || !png.subarray(0, PNG_START.length).equals(PNG_START)) return false
  return [png.readUInt32BE(16), png.readUInt32BE(20)].every(side => side > 0 && side <= MOST_SIDE)
}
