import { crashPoint } from '../../crash-points.ts'
import { findRecordsById } from '../../db/retention/erasures.ts'
import {
  countDue,
  type DueBatch,
  listDueBatches,
  listDueFiles,
  listDueRecords,
  listRetentionRules,
  noteDone,
  type RecordPlace,
  type RetentionRule
} from '../../db/retention/rules.ts'
import { eraseRecords, finishErasures, removeFile } from './erase-records.ts'
import type { SettleDeps } from './settle-payload.ts'

/** What one run does at most, so that it ends, and others come between. Batches in which nothing can be done do not count. */
const BATCHES = 50
const LOOKED_AT = 500
const RECORDS = 200
const FILES = 200
const STEPS = 50

const ACTOR = 'system:retention'

/** A rule as audit entries name it. */
export const ruleName = ({ jurisdiction, profile, what, version }: RetentionRule): string =>
  `${what} ${jurisdiction}/${profile}@${version}`

async function eraseDue(deps: SettleDeps, rule: RetentionRule & { days: number }, batchId: string): Promise<number> {
  const { jurisdiction, days } = rule
  const work = { jurisdiction, actor: ACTOR, reason: 'retention', rule: ruleName(rule) } as const
  let done = 0
  let after: RecordPlace = { fileNumber: -1, item: -1 }
  for (let step = 0; step < STEPS; step += 1) {
    const due = await listDueRecords(deps.pool, jurisdiction, batchId, { days, after, limit: RECORDS + 1 })
    const next = due.length > RECORDS ? due.pop() : undefined
    for (const [fileNumber, own] of Map.groupBy(due, record => record.fileNumber)) {
      const ids = own.map(record => record.id)
      const records = await findRecordsById(deps.pool, jurisdiction, ids)
      // A table that goes as a whole is not written anew for each part of it.
      const mode = next?.fileNumber === fileNumber ? 'wait' : 'overwrite'
      done += (await eraseRecords(deps, { ...work, mode, mayShare: true }, records)).length
      crashPoint('retention.records-erased')
    }
    if (!next) break
    after = due.at(-1) ?? next
  }
  return done
}

async function removeDue(deps: SettleDeps, rule: RetentionRule, batchId: string): Promise<number> {
  const { jurisdiction } = rule
  const work = { jurisdiction, actor: ACTOR, reason: 'retention', rule: ruleName(rule) } as const
  let done = 0
  for (let step = 0; step < STEPS; step += 1) {
    const ids = await listDueFiles(deps.pool, jurisdiction, batchId, FILES)
    for (const id of ids) {
      await removeFile(deps, work, id)
      crashPoint('retention.file-removed')
    }
    done += ids.length
    if (ids.length < FILES) break
  }
  return done
}

async function applyRule(deps: SettleDeps, rule: RetentionRule & { days: number }): Promise<number> {
  let [done, worked] = [0, 0]
  let after: string | null = null
  while (worked < BATCHES) {
    const batches: string[] = await listDueBatches(deps.pool, rule, { after, limit: LOOKED_AT })
    for (const id of batches) {
      const some = rule.what === 'record' ? await eraseDue(deps, rule, id) : await removeDue(deps, rule, id)
      await noteDone(deps.pool, rule.jurisdiction, id, rule.what)
      crashPoint('retention.batch-noted')
      done += some
      worked += some > 0 ? 1 : 0
      if (worked === BATCHES) break
    }
    after = batches.at(-1) ?? null
    if (batches.length < LOOKED_AT) break
  }
  return done
}

const inForce = (rule: RetentionRule): rule is RetentionRule & { days: number } => rule.days !== null

/**
 * Does what the rules of retention say, in bounded steps: removes payloads, erases values, each with its entry that names
 * the rule. What a process that ends leaves undone is done by the next. Answers how many files and records. Safe beside
 * other processes.
 */
export async function applyRetention(deps: SettleDeps): Promise<number> {
  let done = 0
  for (const rule of (await listRetentionRules(deps.pool, null)).filter(inForce)) done += await applyRule(deps, rule)
  // A process that ended behind its last record has left its files: no rule finds anything due by then.
  await finishErasures(deps)
  return done
}

/** What a rule would do now. */
export interface RetentionPreview {
  readonly rule: RetentionRule
  readonly batches: number
  readonly files: number
  readonly records: number
}

const PREVIEWED = 500

/** What the rules would do, without doing it: batches that are due, and what of them is still there; holds are not counted off. */
export async function previewRetention(
  { pool }: Pick<SettleDeps, 'pool'>,
  jurisdiction: string | null
): Promise<RetentionPreview[]> {
  const previews: RetentionPreview[] = []
  for (const rule of (await listRetentionRules(pool, jurisdiction)).filter(inForce)) {
    const sums = { batches: 0, files: 0, records: 0 }
    let after: string | null = null
    for (;;) {
      const page: DueBatch[] = await countDue(pool, rule, { after, limit: PREVIEWED })
      for (const { files, records } of page) {
        sums.batches += 1
        sums.files += rule.what === 'payload' ? files : 0
        sums.records += rule.what === 'record' ? records : 0
      }
      after = page.at(-1)?.id ?? null
      if (page.length < PREVIEWED) break
    }
    previews.push({ rule, ...sums })
  }
  return previews
}
