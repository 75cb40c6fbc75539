import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { createRenderer } from '../extract/render/renderer.ts'
import type { NewId } from '../model/ids.ts'
import { createPageImages, type PageImages } from '../pipeline/page-images/page-images.ts'
import type { PayloadStore } from '../storage/payload-store.ts'

/** Somebody waits for a page; what takes longer is given up, whatever a document may take to be read. */
const MOST_SECONDS = 30
/** For each page that is drawn so many may wait. */
const WAITING = 8
/** Workers remove folders that nothing has changed in for a day. */
const TOUCH_MS = 3_600_000

export interface OpenPageImages {
  readonly pages: PageImages
  close(): Promise<void>
}

/** Makes the pictures of pages for this process, in a folder of its own beside those of the workers. */
export function openPageImages(
  config: Pick<Config, 'data' | 'document' | 'pageSlots'>,
  resources: { readonly pool: Pool; readonly store: PayloadStore; readonly newId: NewId }
): OpenPageImages {
  const { memoryMb, pages } = config.document
  const seconds = Math.min(MOST_SECONDS, config.document.seconds)
  const slots = config.pageSlots
  const tempFolder = join(config.data, 'work', resources.newId())
  const renderer = createRenderer({ slots, memoryMb, seconds, pages, tempDir: join(tempFolder, 'draw') })
  const touch = (): void => {
    mkdirSync(tempFolder, { recursive: true, mode: 0o700 })
    utimesSync(tempFolder, new Date(), new Date())
  }
  const timer = setInterval(() => {
    try {
      touch()
    } catch {
      // A folder that cannot be touched is told of when a page is drawn.
    }
  }, TOUCH_MS).unref()
  return {
    pages: createPageImages({ ...resources, renderer, tempFolder, seconds, atOnce: slots * (1 + WAITING) }),
    async close() {
      clearInterval(timer)
      await renderer.close()
      rmSync(tempFolder, { recursive: true, force: true })
    }
  }
}
