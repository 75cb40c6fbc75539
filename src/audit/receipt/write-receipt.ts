import { createHash, type KeyObject } from 'node:crypto'
import { latestCheckpoint, type StoredCheckpoint } from '../../db/log/checkpoints.ts'
import {
  hasUnsealed,
  type ReceiptBatch,
  type ReceiptFile,
  type ReceiptRecord,
  readReceiptBatch,
  streamReceiptFiles,
  streamReceiptRecords
} from '../../db/log/receipts.ts'
import type { Tx } from '../../db/pool.ts'
import { AppError } from '../../errors.ts'
import { signNote } from '../log/signing/signed-note.ts'
import { originOf } from '../log/signing/signing-keys.ts'
import { rangeRoots, tileReader } from '../log/tree/read-tree.ts'
import { fateOf } from './fate.ts'
import {
  count,
  type FileSubject,
  lineOf,
  noTotals,
  RECEIPT_FORM,
  type ReceiptHeader,
  type RecordSubject,
  type Section,
  signedText,
  type Totals
} from './form.ts'
import { readTold, type SectionScope, type Told } from './make-section.ts'

/** Files, or records of one chunk, in a section. */
const SECTION = 500

export interface SigningKeys {
  /** First part of every log's name. */
  readonly origin: string
  readonly keys: readonly KeyObject[]
}

/** A batch whose receipt can be made, and the checkpoint it is made under. */
export interface ReceiptGround {
  readonly batch: ReceiptBatch
  readonly checkpoint: StoredCheckpoint
}

const notSealed = (what: string): AppError => new AppError('NOT_SEALED', `${what} Ask again in a few seconds.`)

/** Finds out whether a batch can have a receipt. Throws `NOT_SEALED` while it goes on or is not sealed. */
export async function findGround(tx: Pick<Tx, 'query'>, jurisdiction: string, batchId: string): Promise<ReceiptGround> {
  const batch = await readReceiptBatch(tx, jurisdiction, batchId)
  if (!batch) throw notSealed('There is a receipt once the batch has ended, and none for a dry run.')
  const checkpoint = await latestCheckpoint(tx, jurisdiction)
  if (!checkpoint || (await hasUnsealed(tx, jurisdiction, batchId))) {
    throw notSealed('The batch has ended and is not under a checkpoint yet.')
  }
  return { batch, checkpoint }
}

const headerOf = ({ batch, checkpoint }: ReceiptGround): ReceiptHeader => ({
  form: RECEIPT_FORM,
  jurisdiction: batch.jurisdiction,
  batch: {
    id: batch.id,
    profile: batch.profile,
    source: batch.source,
    state: batch.state,
    submitter: batch.submitter,
    received_at: batch.receivedAt,
    finished_at: batch.finishedAt,
    digest: batch.digest
  },
  checkpoint: checkpoint.note
})

const fileSubject = (file: ReceiptFile): FileSubject => ({
  kind: 'file',
  id: file.id,
  number: file.number,
  filename: file.filename,
  declared_type: file.declaredType,
  media_type: file.mediaType,
  size: file.size,
  sha256: file.sha256,
  archive_id: file.archiveId
})

function recordSubject(record: ReceiptRecord, { chains }: Told): RecordSubject {
  const chain = chains.get(record.id) ?? []
  const fate = fateOf(chain)
  // The row may know of changes that are not sealed yet; then the entries alone are right.
  const duplicateOf = record.auditSeq === chain.length ? record.duplicateOf : fate.duplicateOf
  return {
    kind: 'record',
    id: record.id,
    file: record.fileNumber,
    row: record.item === 0 ? null : record.item,
    line: record.line,
    state: fate.state,
    codes: fate.codes,
    key: fate.key,
    duplicate_of: duplicateOf,
    follows: fate.follows,
    replaced_by: fate.replacedBy,
    erased_at: fate.erasedAt
  }
}

/** Parts a stream into runs of at most `SECTION` in which `groupOf` is the same. */
async function* runs<T>(stream: AsyncIterable<T>, groupOf: (one: T) => string): AsyncGenerator<T[]> {
  let run: T[] = []
  for await (const one of stream) {
    const [first] = run
    if (first !== undefined && (run.length === SECTION || groupOf(first) !== groupOf(one))) {
      yield run
      run = []
    }
    run.push(one)
  }
  if (run.length > 0) yield run
}

/** The sections of a receipt: the batch, its files, its records chunk by chunk. */
async function* sectionsOf(scope: SectionScope, batchId: string): AsyncGenerator<Section> {
  const { tx, jurisdiction } = scope
  const own = await readTold(scope, [batchId], [])
  yield { subjects: [{ kind: 'batch', id: batchId }], commits: own.commits }
  for await (const files of runs(streamReceiptFiles(tx, jurisdiction, batchId), () => '')) {
    const ids = files.map(file => file.id)
    yield { subjects: files.map(fileSubject), commits: (await readTold(scope, ids, [])).commits }
  }
  for await (const records of runs(streamReceiptRecords(tx, jurisdiction, batchId), one => one.chunkId)) {
    const ids = records.map(record => record.id)
    const told = await readTold(scope, ids, [records[0]?.chunkId ?? ''])
    yield { subjects: records.map(record => recordSubject(record, told)), commits: told.commits }
  }
}

/** What a receipt says, piece by piece; the same for its page. */
export interface ReceiptParts {
  readonly header: ReceiptHeader
  readonly sections: AsyncIterable<Section>
}

/** A receipt's parts, read in a transaction that sees one state of the database. */
export function receiptParts(tx: Tx, ground: ReceiptGround): ReceiptParts {
  const { batch, checkpoint } = ground
  const { jurisdiction, id } = batch
  const rootOf = rangeRoots(tileReader(tx, jurisdiction, checkpoint.size))
  const scope = { tx, jurisdiction, size: checkpoint.size, rootOf }
  return { header: headerOf(ground), sections: sectionsOf(scope, id) }
}

/**
 * The text of a signed receipt, one section at a time: one JSON document, each section on a line of its own, and last the
 * signatures over all bytes before their line.
 */
export async function* receiptText({ header, sections }: ReceiptParts, signing: SigningKeys): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const told = (text: string): string => {
    digest.update(text)
    return text
  }
  const { jurisdiction, batch } = header
  yield told(`${lineOf(header).slice(0, -1)},"sections":[\n`)
  const totals: Totals = noTotals()
  let isFirst = true
  for await (const section of sections) {
    for (const subject of section.subjects) count(totals, subject)
    yield told(`${isFirst ? '' : ',\n'}${lineOf(section)}`)
    isFirst = false
  }
  yield told(`\n],"totals":${lineOf(totals)},\n`)
  const origin = originOf(signing.origin, jurisdiction)
  yield `"signature":${lineOf(signNote(signedText(origin, batch.id, digest.digest()), origin, signing.keys))}}\n`
}
