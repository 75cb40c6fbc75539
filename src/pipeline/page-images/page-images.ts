import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import {
  type Extraction,
  type ExtractionKey,
  failExtraction,
  finishExtraction,
  forgiveExtraction,
  launchExtraction,
  readExtraction,
  reopenExtraction
} from '../../db/documents/extractions.ts'
import type { Pool } from '../../db/pool.ts'
import { AppError } from '../../errors.ts'
import { type ExtractFailure, isGivenUp } from '../../extract/answer.ts'
import { type DrawnPage, type PageHead, readHead } from '../../extract/render/drawn-page.ts'
import type { PageSize } from '../../extract/render/page-size.ts'
import { hasPages, type Renderer } from '../../extract/render/renderer.ts'
import type { Json } from '../../model/json.ts'
import { payloadKey } from '../../storage/payload-store.ts'
import { type CopyDeps, withPayloadCopy } from '../documents/payload-copy.ts'

export interface PageImageDeps extends CopyDeps {
  readonly pool: Pool
  readonly renderer: Renderer
  /** How long drawing one page may take. */
  readonly seconds: number
  /** Pages that are drawn or wait to be, at most; others are refused. */
  readonly atOnce: number
}

/** The file whose page is wanted. */
export interface PagedFile {
  readonly jurisdiction: string
  readonly mediaType: string
  readonly sha256: Buffer
  readonly payloadUri: string
}

export interface WantedPage {
  /** From 1. */
  readonly number: number
  readonly size: PageSize
}

/** A page that has been drawn. */
export interface PageImage extends PageHead {
  readonly pageCount: number
  /** Where its picture lies in the payload store, and how long it is. */
  readonly uri: string
  readonly bytes: number
}

export interface PageImages {
  /** Names the picture before it is drawn: the same as long as the same bytes are drawn by the same code. */
  tagOf(file: PagedFile, wanted: WantedPage): string
  /**
   * The picture of a page, drawn when it is asked for first and kept. Throws `PAGE_NOT_FOUND`, `PAGE_NOT_DRAWN` for a
   * document that cannot be drawn within its limits, and `DRAWING_BUSY`.
   */
  show(file: PagedFile, wanted: WantedPage): Promise<PageImage>
  /** The same with its bytes, as PNG. */
  open(file: PagedFile, wanted: WantedPage): Promise<{ readonly image: PageImage; readonly png: Readable }>
}

/** A page that ended the drawing process this often does so always. */
const MAX_LAUNCHES = 2
/** Beside the time a page may take: to wait for a process, and to keep the picture. */
const SPARE_SECONDS = 60
/** Longest picture that is kept; noise in colours at the largest size comes close. */
const MAX_PNG_BYTES = 32 * 1024 * 1024
const RETRY_SECONDS = 3

/** What the pictures of pages are called among the results of reading documents; the sweep knows them by it. */
export const PAGE_PREFIX = 'page '

/** Makes the pictures of pages, each once however many ask for it, and keeps them in the payload store. */
export function createPageImages(deps: PageImageDeps): PageImages {
  const underWay = new Map<string, Promise<PageImage>>()
  let drawing = 0
  const keyOf = ({ jurisdiction, sha256, mediaType }: PagedFile, { number, size }: WantedPage): ExtractionKey => ({
    jurisdiction,
    sha256,
    mediaType,
    extractor: `${PAGE_PREFIX}${number} ${size} ${deps.renderer.version}`
  })
  const tagOf = (file: PagedFile, wanted: WantedPage): string => {
    const { sha256, mediaType, extractor } = keyOf(file, wanted)
    return createHash('sha256').update(sha256).update(`${mediaType} ${extractor}`).digest('hex').slice(0, 32)
  }
  const keptOrDrawn = async (file: PagedFile, wanted: WantedPage): Promise<PageImage> => {
    const key = keyOf(file, wanted)
    const kept = await keptImage(deps, key)
    if (kept) return kept
    if (drawing >= deps.atOnce) {
      throw new AppError('DRAWING_BUSY', 'More pages are being drawn than this service draws at once. Ask again.', {
        details: { retry_after_seconds: RETRY_SECONDS }
      })
    }
    drawing += 1
    try {
      return await draw(deps, file, { key, wanted })
    } finally {
      drawing -= 1
    }
  }
  const show = async (file: PagedFile, wanted: WantedPage): Promise<PageImage> => {
    if (!hasPages(file.mediaType)) {
      throw new AppError('PAGE_NOT_FOUND', 'The file of this record has no pages: only documents have.', {
        details: { page_count: 0 }
      })
    }
    const name = `${file.jurisdiction} ${tagOf(file, wanted)}`
    const begun = underWay.get(name) ?? keptOrDrawn(file, wanted).finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }
  return {
    tagOf,
    show,
    async open(file, wanted) {
      const image = await show(file, wanted)
      try {
        return { image, png: await deps.store.open(image.uri) }
      } catch (error) {
        // It may have been old, and swept since it was looked up: then it is drawn again.
        if (!(error instanceof AppError) || error.code !== 'PAYLOAD_MISSING') throw error
        const again = await show(file, wanted)
        return { image: again, png: await deps.store.open(again.uri) }
      }
    }
  }
}

interface Work {
  readonly key: ExtractionKey
  readonly wanted: WantedPage
}

/** The picture that was kept; undefined when it has to be drawn. Throws when it is known that it cannot be. */
async function keptImage(deps: PageImageDeps, key: ExtractionKey): Promise<PageImage | undefined> {
  const known = await readExtraction(deps.pool, key, deps.seconds + SPARE_SECONDS)
  if (!known) return undefined
  const image = await imageOf(deps, key, known)
  if (!image && isSpent(known)) throw notDrawn(known.outcome)
  return image
}

/** Nothing came of it, and nothing will. */
const isSpent = ({ finished: isOver, resultUri, launches, running }: Extraction): boolean =>
  isOver ? resultUri === null : launches >= MAX_LAUNCHES && !running

/** The kept picture; undefined when there is none, or when its object is gone, which is then forgotten. */
async function imageOf(
  { pool, store }: PageImageDeps,
  key: ExtractionKey,
  { resultUri, outcome }: Extraction
): Promise<PageImage | undefined> {
  const head = readHead(memberOf(outcome, 'head'))
  if (head && !head.page) throw noSuchPage(head.pageCount)
  if (resultUri === null) return undefined
  const bytes = await store.size(resultUri).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'PAYLOAD_MISSING') return undefined
    throw error
  })
  if (head?.page && bytes !== undefined && bytes === memberOf(outcome, 'bytes')) {
    return { ...head.page, pageCount: head.pageCount, uri: resultUri, bytes }
  }
  await reopenExtraction(pool, key, resultUri)
  return undefined
}

async function draw(deps: PageImageDeps, file: PagedFile, { key, wanted }: Work): Promise<PageImage> {
  const { pool, renderer, seconds } = deps
  return withPayloadCopy(deps, file, async path => {
    const launch = await launchExtraction(pool, key, seconds + SPARE_SECONDS)
    let drawn: DrawnPage | ExtractFailure
    try {
      drawn = await renderer.draw(path, file.mediaType, wanted)
      if (drawn.ok) return await keep(deps, key, drawn)
    } catch (error) {
      // A launch that has come to an end is not changed by this.
      await forgiveExtraction(pool, key, launch)
      throw error
    }
    return fail(deps, key, drawn)
  })
}

async function fail({ pool }: PageImageDeps, key: ExtractionKey, failure: ExtractFailure): Promise<never> {
  const { ok, reason, detail = null } = failure
  // What broke its limits may keep them on a quieter machine; anything else is for ever.
  if (isGivenUp(failure)) await failExtraction(pool, key, { ok, reason, detail })
  else await finishExtraction(pool, key, { uri: null, outcome: { ok, reason, detail } })
  throw notDrawn({ reason, detail })
}

async function keep({ pool, store, newId }: PageImageDeps, key: ExtractionKey, drawn: DrawnPage): Promise<PageImage> {
  const { png, ...head } = drawn
  const kept = JSON.parse(JSON.stringify(head)) as Json
  if (!head.page) {
    await finishExtraction(pool, key, { uri: null, outcome: { ok: true, head: kept } })
    throw noSuchPage(head.pageCount)
  }
  const spool = store.createSpool({ limitBytes: MAX_PNG_BYTES })
  spool.end(png)
  await finished(spool)
  const spooled = spool.result()
  const [uri = ''] = await store.commit([{ spooled, key: payloadKey(key.jurisdiction, newId()) }])
  const outcome = { ok: true, bytes: spooled.size, sha256: spooled.sha256.toString('hex'), head: kept }
  const image = { ...head.page, pageCount: head.pageCount, uri, bytes: spooled.size }
  if (await finishExtraction(pool, key, { uri, outcome })) return image
  // Another process was first; its picture is the same.
  const known = await readExtraction(pool, key, 0)
  await store.remove(uri)
  if (known?.resultUri) return { ...image, uri: known.resultUri }
  throw new AppError('DATABASE_CONFLICT', 'A picture was removed while it was being kept. Ask again.')
}

const noSuchPage = (pageCount: number): AppError =>
  new AppError('PAGE_NOT_FOUND', `The document has no such page. Its pages are 1 to ${pageCount}.`, {
    details: { page_count: pageCount }
  })

/** The reason and the detail of a failure are words of ours. */
function notDrawn(outcome: Json): AppError {
  const reason = memberOf(outcome, 'reason')
  const detail = memberOf(outcome, 'detail')
  return new AppError('PAGE_NOT_DRAWN', 'The page cannot be drawn. Look at the file itself.', {
    details: {
      ...(typeof reason === 'string' ? { reason } : {}),
      ...(typeof detail === 'string' ? { detail_code: detail } : {})
    }
  })
}

function memberOf(value: Json, name: string): Json {
  return (Object(value) as { readonly [name: string]: Json })[name] ?? null
}
