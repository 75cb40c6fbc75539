import { fileURLToPath } from 'node:url'
import type { ExtractFailure } from '../answer.ts'
import { EXTRACTED_MEDIA_TYPES } from '../extractor.ts'
import { rendererVersion } from '../extractor-version.ts'
import { isImage } from '../image/image-as-pdf.ts'
import { ProcessPool } from '../process-pool.ts'
import { type DrawnPage, decodeDrawn } from './drawn-page.ts'
import type { PageSize } from './page-size.ts'

export interface RendererOptions {
  /** Memory ceiling of one page, in MB. */
  readonly memoryMb: number
  /** Wall clock ceiling of one page. */
  readonly seconds: number
  /** Most pages of a document that has none of its own. */
  readonly pages: number
  /** Pages in flight. */
  readonly slots: number
  readonly tempDir: string
  /** The program of the processes; another one only in tests. */
  readonly program?: string
}

/** Draws pages of documents in processes of their own. */
export interface Renderer {
  /** Under the same version the same bytes give the same picture. */
  readonly version: string
  /**
   * Draws one page, counted from 1. A document that cannot be drawn, or that breaks its ceilings, is an outcome; throws
   * an AppError for faults of ours only.
   */
  draw(
    path: string,
    mediaType: string,
    page: { readonly number: number; readonly size: PageSize }
  ): Promise<DrawnPage | ExtractFailure>
  close(): Promise<void>
}

/** Characters that are read of a document to draw its words. */
const MAX_CHARACTERS = 8_000_000
const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url))

/** Whether files of this type have pages to draw. */
export const hasPages = (mediaType: string): boolean =>
  isImage(mediaType) || EXTRACTED_MEDIA_TYPES.some(known => known === mediaType)

/** Makes a renderer; its processes are started when the first page is asked for. */
export function createRenderer(options: RendererOptions): Renderer {
  const { pages, memoryMb, seconds } = options
  const pool = new ProcessPool({ program: PROGRAM, ...options, lazy: true })
  return {
    version: rendererVersion({ pages, memoryMb, seconds }),
    async draw(path, mediaType, { number, size }) {
      if (!hasPages(mediaType)) return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
      const request = { mediaType, page: number, size, pages, characters: MAX_CHARACTERS }
      return pool.run({ path, request, open: async answer => decodeDrawn(answer) })
    },
    close: () => pool.close()
  }
}
