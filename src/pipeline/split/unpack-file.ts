import { join } from 'node:path'
import { readBatchOptions } from '../../db/batches.ts'
import type { SplitWork } from '../../db/work/splits.ts'
import { AppError } from '../../errors.ts'
import { XLSX } from '../../media/binary.ts'
import { ZipFault, type ZipLimits } from '../../media/unzip.ts'
import { openZipSource } from '../../media/zip-source.ts'
import type { RowFault } from '../../model/rows.ts'
import { knownColumn } from '../../profiles/tabular/column-index.ts'
import { namedColumns } from '../../profiles/tabular/expand-row.ts'
import type { UsedMapping } from '../../profiles/tabular/source-options.ts'
import { type PayloadStore, type Spool, unpackedKey } from '../../storage/payload-store.ts'
import type { TabularFormat } from '../../tabular/format.ts'
import { unpackSheet } from '../../tabular/xlsx/unpack-sheet.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { profileOf } from '../work/profile-of.ts'
import { checkSheet, fileFault } from './detect-file.ts'
import type { Unpacked } from './file-format.ts'

/**
 * What a workbook may unfold to, and what may be written of it. A million rows of fifty filled cells stay below; sheets
 * are repetitive, and an honest one of a million rows unfolds some 15 to 40 fold.
 */
const WORKBOOK_LIMITS: ZipLimits = { bytes: 8e9, entries: 5000, ratio: 400 }
const UNPACKED_BYTES = 4e9

/** The work of a split with the saved mapping of its source. */
interface MappedWork extends SplitWork {
  readonly mapping: UsedMapping | null
}

/** Files of these types are not read where they lie: a form that can be entered in the middle is written first. */
export const mustUnpack = (mediaType: string): boolean => mediaType === XLSX

export type UnpackedFile =
  | { readonly kind: 'unpacked'; readonly tabular: TabularFormat; readonly unpacked: Unpacked }
  | { readonly kind: 'fault'; readonly fault: RowFault }

/**
 * Unpacks a workbook into an object of the store whose bytes and key depend on the file and the options of its batch
 * alone, so that two attempts, at once or one after the other, write the same. Throws faults of our own infrastructure.
 */
export async function unpackFile(deps: PipelineDeps, work: MappedWork, signal: AbortSignal): Promise<UnpackedFile> {
  const spool = deps.store.createSpool({ limitBytes: UNPACKED_BYTES })
  // Its failures are told to those who write and end it; without a listener they would end the process.
  spool.on('error', () => undefined)
  try {
    const decision = await unpackInto(deps, work, spool, signal)
    if (!decision.ok) return { kind: 'fault', fault: decision.fault }
    const unpacked = await keep(deps.store, spool, unpackedKey(work.jurisdiction, work.fileId))
    return { kind: 'unpacked', tabular: decision.format, unpacked }
  } catch (error) {
    if (error instanceof ZipFault) return { kind: 'fault', fault: fileFault(error.reason, error.message) }
    if (error instanceof AppError && error.code === 'FILE_TOO_LARGE') {
      return { kind: 'fault', fault: fileFault('FILE_TOO_LARGE', `more than ${UNPACKED_BYTES} bytes unpacked`) }
    }
    throw error
  } finally {
    if (!spool.closed) spool.destroy()
  }
}

async function unpackInto(
  deps: PipelineDeps,
  work: MappedWork,
  spool: Spool,
  signal: AbortSignal
): ReturnType<typeof unpackSheet> {
  const { sheet } = await readBatchOptions(deps.pool, work.jurisdiction, work.batchId)
  const profile = profileOf(deps, work.profile)
  const own = namedColumns(work.mapping?.options)
  const open = (range: { start: number; end: number }) => deps.store.open(work.payloadUri, range)
  const zip = await openZipSource(open, work.size, WORKBOOK_LIMITS)
  try {
    const options = {
      recordBytes: deps.chunk.recordBytes,
      stringsPath: join(deps.tempFolder, `${deps.newId()}.texts`),
      knownColumn: (name: string) => knownColumn(profile, name, own),
      ...(typeof sheet === 'string' ? { sheet } : {})
    }
    const decision = await unpackSheet(zip, options, async bytes => {
      signal.throwIfAborted()
      await write(spool, bytes)
    })
    return checkSheet(profile, decision, work.mapping?.options)
  } finally {
    zip.close()
  }
}

/** Waits until the bytes are taken, so that no more than one piece is in memory. */
function write(spool: Spool, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    spool.once('error', reject)
    spool.write(bytes, error => {
      spool.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
}

async function keep(store: PayloadStore, spool: Spool, key: string): Promise<Unpacked> {
  await new Promise<void>((resolve, reject) => {
    spool.once('error', reject)
    spool.end(resolve)
  })
  const spooled = spool.result()
  const [uri = ''] = await store.commit([{ spooled, key }])
  return { uri, size: spooled.size, sha256: spooled.sha256.toString('hex') }
}
