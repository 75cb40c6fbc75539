import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Extractor } from '../extractor.ts'
import { rendererVersion } from '../extractor-version.ts'
import { isImage } from '../image/image-as-pdf.ts'
import { ProcessPool } from '../process-pool.ts'
import { loadEngine, OWN_ENGINE } from './engines/load-engine.ts'

export interface RecogniserOptions {
  /** Name of the engine, or the path of its module. */
  readonly engine: string
  /** Documents in flight, apart from those that have text. */
  readonly slots: number
  /** Memory ceiling of one document, in MB. */
  readonly memoryMb: number
  /** Wall clock and CPU ceiling of one document. */
  readonly seconds: number
  /** Most pages of a document, and most of them that are recognised. */
  readonly pages: number
  readonly recognisedPages: number
  /** A folder of our own for the one file each process may read. */
  readonly tempDir: string
  /** Processor time one page may take; another only in tests. */
  readonly pageSeconds?: number
}

/** Reads documents like an extractor, and recognises their pages that have no text. */
export type Recogniser = Pick<Extractor, 'version' | 'extractTo' | 'close'>

/** Characters of text in one document; a recognised page has a few thousand. */
const MAX_CHARACTERS = 8_000_000
/** The share of a document's time after which no further page is begun, so that what was read is not lost. */
const TIME_FOR_PAGES = 0.75
/** Processor time one page may take. A crowded one takes 5 s, one that has to be read each way up up to 12. */
const PAGE_SECONDS = 25
/** Pages of a document that may end a process before the document has failed. */
const MOST_SKIPPED = 2
const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url))

/** Whether pages of this type may have to be recognised. */
export const isRecognised = (mediaType: string): boolean => mediaType === 'application/pdf' || isImage(mediaType)

/** Makes a recogniser; its processes are started when the first page needs one. Throws when the engine cannot be loaded. */
export async function createRecogniser(options: RecogniserOptions): Promise<Recogniser> {
  const { engine, pages, recognisedPages, memoryMb, seconds } = options
  const { name } = await loadEngine(engine)
  const limits = { pages, memoryMb, seconds, characters: MAX_CHARACTERS, recognisedPages }
  // An engine of somebody else's brings its model along with its module.
  const readable = engine === OWN_ENGINE ? [] : [dirname(engine)]
  const pool = new ProcessPool({
    ...options,
    program: PROGRAM,
    readable,
    stepSeconds: options.pageSeconds ?? PAGE_SECONDS,
    lazy: true
  })
  const asked = { engine, pages, recognisedPages, characters: MAX_CHARACTERS, seconds: seconds * TIME_FOR_PAGES }
  return {
    // Pages are drawn to be recognised: whatever changes a drawing may change what is read of it.
    version: `${rendererVersion(limits)} ${name}`,
    extractTo: async (path, mediaType, open, signal) => {
      if (!isRecognised(mediaType)) return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
      const skipped: number[] = []
      const begun = performance.now()
      for (;;) {
        let page: number | undefined
        const outcome = await pool.run({
          path,
          request: { mediaType, ...asked, skipped },
          open,
          onStep: step => {
            page = step
          },
          ...(signal ? { signal } : {})
        })
        // A page that cannot be drawn or read in its time must not cost the others theirs.
        const isLate = performance.now() - begun > seconds * 500
        if (outcome.ok || page === undefined || isLate || skipped.length >= MOST_SKIPPED) return outcome
        skipped.push(page)
      }
    },
    close: () => pool.close()
  }
}
