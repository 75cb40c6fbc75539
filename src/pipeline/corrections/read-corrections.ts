import { type NamedRecord, selectNamedRecords } from '../../db/review/corrections.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import type { ReasonCode } from '../../model/reasons.ts'
import type { RawRow } from '../../model/rows.ts'
import { contentKeyText } from '../../tabular/content-key.ts'
import type { TabularFormat } from '../../tabular/format.ts'
import type { ReadDeps } from '../work/pipeline-deps.ts'
import { profileOf } from '../work/profile-of.ts'
import { rowKey } from '../work/record-key.ts'
import { type FileFacts, factsOf } from './file-facts.ts'
import { idOf } from './named-id.ts'
import { type StrippedRow, stripRows } from './stripped-rows.ts'
import { type NamedRow, unchangedRecords } from './unchanged.ts'

/** What the rows of one chunk of an errors file say about held records; rows by their number. */
export interface Corrections {
  /** The rows as their source would have them. */
  readonly rows: readonly RawRow[]
  /** The batch that the file came from; null when nothing it names exists. */
  readonly parentBatchId: string | null
  /** Rows that were changed, each with the held record it settles. */
  readonly settles: ReadonlyMap<number, NamedRecord>
  /** Rows that came back as they went out, each with the held record it follows. */
  readonly follows: ReadonlyMap<number, NamedRecord>
  /** Rows that name a record they cannot settle, and why. */
  readonly refused: ReadonlyMap<number, ReasonCode>
  /** The file that a row first stood in. */
  readonly fileOf: ReadonlyMap<number, string>
}

interface Context {
  readonly chunk: ChunkWork
  readonly facts: FileFacts
  readonly parentBatchId: string | null
}

type Verdict = 'settle' | 'known' | ReasonCode

const isMine = ({ claim }: NamedRecord, chunk: ChunkWork, item: number): boolean =>
  claim?.batchId === chunk.batchId && claim.fileNumber === chunk.fileNumber && claim.item === item

/** Whether the same correction was sent before, or the very content was accepted meanwhile: then nothing new is said. */
const isKnown = (record: NamedRecord, key: string): boolean =>
  record.replacementKey === key || (record.state === 'accepted' && record.idempotencyKey === key)

function verdictOf(context: Context, { row, record, key }: NamedRow): Verdict {
  const { chunk, facts, parentBatchId } = context
  if (record.batchId !== parentBatchId) return 'CORRECTION_OTHER_BATCH'
  if (facts.isRepeated(record.id)) return 'CORRECTION_REPEATED'
  if (isMine(record, chunk, row.row)) return 'settle'
  if (record.state === 'quarantined' && record.duplicateOf === null && record.claim === null) return 'settle'
  return isKnown(record, key) ? 'known' : 'CORRECTION_SETTLED'
}

/** The batch of the first record that the file names: an errors file is made from one batch. */
async function parentOf(deps: ReadDeps, chunk: ChunkWork, facts: FileFacts): Promise<string | null> {
  const found = await selectNamedRecords(deps.pool, chunk.jurisdiction, facts.first)
  const first = facts.first.find(id => found.get(id)?.profile === chunk.profile)
  return first === undefined ? null : (found.get(first)?.batchId ?? null)
}

async function namedRows(deps: ReadDeps, chunk: ChunkWork, stripped: readonly StrippedRow[]) {
  const ids = stripped.flatMap(({ named }) => idOf(named) ?? [])
  const records = await selectNamedRecords(deps.pool, chunk.jurisdiction, [...new Set(ids)])
  const unknown: number[] = []
  const named: NamedRow[] = []
  for (const { row, named: cell } of stripped) {
    if (cell === '') continue
    const record = records.get(idOf(cell) ?? '')
    if (record?.profile !== chunk.profile) unknown.push(row.row)
    else named.push({ row, record, key: rowKey(chunk.profile, chunk.jurisdiction, contentKeyText(row)) })
  }
  return { unknown, named }
}

/** Looks up what the rows of a chunk of an errors file name, and decides what each of them is. Changes nothing. */
export async function readCorrections(
  deps: ReadDeps,
  chunk: ChunkWork,
  format: TabularFormat,
  sent: readonly RawRow[]
): Promise<Corrections> {
  const stripped = stripRows(sent, format.kind === 'json' ? 'json' : 'table')
  const facts = await factsOf(deps, chunk, format)
  const parentBatchId = await parentOf(deps, chunk, facts)
  const { unknown, named } = await namedRows(deps, chunk, stripped)
  const refused = new Map<number, ReasonCode>(unknown.map(item => [item, 'CORRECTION_UNKNOWN']))
  const open: NamedRow[] = []
  for (const one of named) {
    const verdict = verdictOf({ chunk, facts, parentBatchId }, one)
    if (verdict === 'settle') open.push(one)
    else if (verdict !== 'known') refused.set(one.row.row, verdict)
  }
  const unclaimed = open.filter(({ record }) => record.claim === null)
  const same = await unchangedRecords(deps, chunk, profileOf(deps, chunk.profile), unclaimed)
  const entries = open.map(({ row, record }): [number, NamedRecord] => [row.row, record])
  return {
    rows: stripped.map(({ row }) => row),
    parentBatchId,
    settles: new Map(entries.filter(([, { id }]) => !same.has(id))),
    follows: new Map(entries.filter(([, { id }]) => same.has(id))),
    refused,
    fileOf: new Map(named.map(({ row, record }) => [row.row, record.fileId]))
  }
}
