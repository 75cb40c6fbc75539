import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../../crash-points.ts'
import { AppError } from '../../errors.ts'
import { readNote } from './signing/signed-note.ts'

/** A checkpoint to bring somewhere. */
export interface Delivery {
  readonly jurisdiction: string
  readonly size: number
  readonly note: string
}

/** Whether two notes are of one tree: signatures may differ while keys are changed. */
export const isSameTree = (a: string, b: string): boolean => {
  const text = readNote(a)?.text
  return text !== undefined && text === readNote(b)?.text
}

/** What a place says that has another tree of the same size: the log was forked, or the place is another log's. */
export const refused = (jurisdiction: string, size: number): AppError =>
  new AppError(
    'CHECKPOINT_REFUSED',
    `A destination has another checkpoint of ${jurisdiction} for size ${size}. One of the two logs is not the true one.`
  )

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o644)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Writes `<folder>/<jurisdiction>/<size>` and lets `latest` point at it. Nothing is ever overwritten: a file of another
 * tree of this size is left and told of (`CHECKPOINT_REFUSED`).
 */
export async function writeCheckpointFile(folder: string, { jurisdiction, size, note }: Delivery): Promise<void> {
  const place = join(folder, jurisdiction)
  await mkdir(place, { recursive: true })
  const path = join(place, String(size))
  const draft = join(place, `.${randomUUID()}`)
  try {
    await writeDurably(draft, note)
    crashPoint('publish.draft-written')
    await link(draft, path)
    crashPoint('publish.linked')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!isSameTree(await readFile(path, 'utf8'), note)) throw refused(jurisdiction, size)
  } finally {
    await rm(draft, { force: true })
  }
  await symlink(String(size), draft)
  await rename(draft, join(place, 'latest'))
  crashPoint('publish.pointed')
}
