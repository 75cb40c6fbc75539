import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { verify } from '../../../src/audit/verify/verify.ts'
import { loadLogKeys } from '../../../src/cli/audit/log-keys.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { sweepSpool } from '../../../src/intake/sweep-spool.ts'
import { createLogger } from '../../../src/logger.ts'
import { newId } from '../../../src/model/ids.ts'
import { createFileStore } from '../../../src/storage/file-store.ts'
import { CANARY } from '../load/content.ts'
import type { History } from '../load/history.ts'
import { type Evidence, GUARANTEES } from './guarantees.ts'

/** What is looked at. */
export interface Checked {
  readonly pool: Pool
  /** `DOCKET_DATA` of the processes. */
  readonly folder: string
  readonly payloads: string
  readonly history: History
  /** Everything that was logged, by Docket and by the database. */
  readonly logs: () => Promise<string>
}

export interface Finding {
  readonly guarantee: string
  readonly subject: string
  readonly message: string
}

export interface Verdict {
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** The line that every test ends with. */
  readonly line: string
  /** Held though nothing was wrong with them: a fault of ours was taken for theirs. */
  readonly wronglyHeld: number
  readonly acked: number
}

/** Reasons that say that we failed, not the record. */
const OURS = ['PROCESSING_CRASH', 'INTERNAL_ERROR', 'EXTRACTION_CRASH', 'EXTRACTION_MEMORY', 'EXTRACTION_TIMEOUT', 'PAYLOAD_DAMAGED', 'VALUE_NOT_STORABLE', 'ENRICH_UNAVAILABLE'] // biome-ignore format: a list

const DAY_MS = 24 * 3600 * 1000

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Every file of the payload store, read anew. */
export async function readBlobs(folder: string): Promise<Evidence['blobs']> {
  const blobs: { uri: string; sha256: string; size: number }[] = []
  for (const owner of await readdir(folder, { withFileTypes: true })) {
    if (!owner.isDirectory() || owner.name === 'spool') continue
    for (const name of await readdir(join(folder, owner.name))) {
      const path = join(folder, owner.name, name)
      blobs.push({ uri: `file:${owner.name}/${name}`, sha256: await digestOf(path), size: (await stat(path)).size })
    }
  }
  return blobs
}

export function evidenceOf(history: History, blobs: Evidence['blobs']): Evidence {
  const acked = history
    .of('ok')
    .flatMap(({ key, submission, batchIds }) => [...batchIds].map(id => ({ id, key, records: submission.records })))
  return { acked, blobs }
}

/** Every guarantee that is broken, and by what. */
export async function findBroken(pool: Pool, evidence: Evidence): Promise<Finding[]> {
  const findings: Finding[] = []
  const text = JSON.stringify(evidence)
  for (const { name, find } of GUARANTEES) {
    const values = find.includes('$1') ? [text] : []
    const { rows } = await pool.query<{ subject: string; message: string }>(find, values)
    findings.push(...rows.map(({ subject, message }) => ({ guarantee: name, subject, message })))
  }
  return findings
}

/** Batches that no client knows of, and those of a key that was told of two. */
async function compareHistory(pool: Pool, history: History): Promise<Finding[]> {
  const known = new Set([...history.operations.values()].flatMap(({ batchIds }) => [...batchIds]))
  const { rows } = await pool.query<{ id: string }>('select id from batch')
  const twice = [...history.operations.values()].filter(({ batchIds }) => batchIds.size > 1)
  return [
    ...rows
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => ({ guarantee: 'unexpected', subject: id, message: 'is a batch that nobody was told of' })),
    ...twice.map(({ key, batchIds }) => ({
      guarantee: 'G12',
      subject: [...batchIds].join(' '),
      message: `are all answers under the key ${key}`
    }))
  ]
}

/** Faults of ours are no answer, and who is asked to come back is told when. */
function judgeAnswers({ statuses, unsaid }: History): Finding[] {
  const broken = statuses.get(500) ?? 0
  return [
    ...(broken > 0 ? [{ guarantee: 'answers', subject: '500', message: `was answered ${broken} times` }] : []),
    ...[...unsaid].map(([status, n]) => ({
      guarantee: 'answers',
      subject: String(status),
      message: `was answered ${n} times without Retry-After`
    }))
  ]
}

/** What crashes left behind goes with the sweep a day later; what is left then is nobody's for ever. */
async function sweepAndCount({ pool, payloads }: Checked): Promise<{ swept: number; left: number }> {
  const store = await createFileStore({ folder: payloads, newId })
  const logger = createLogger({ component: 'faults', level: 'silent' })
  const sweep = { pool, store, logger, now: () => new Date(Date.now() + 2 * DAY_MS) }
  const { spools, payloads: files } = await sweepSpool(sweep)
  const { rows } = await pool.query<{ uri: string }>(
    `select payload_uri as uri from file union select result_uri from extraction where result_uri is not null
     union select coalesce(format -> 'unpacked', progress -> 'unpacked') ->> 'uri' from file`
  )
  const owned = new Set(rows.map(({ uri }) => uri))
  const left = (await readBlobs(payloads)).filter(({ uri }) => !owned.has(uri)).length
  const spooled = (await readdir(join(payloads, 'spool'))).length
  return { swept: spools + files, left: left + spooled }
}

async function canaryHits({ pool, logs }: Checked): Promise<number> {
  const text = await logs()
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where data::text like $1 or output::text like $1`,
    [`%${CANARY}%`]
  )
  return text.split(CANARY).length - 1 + (rows[0]?.n ?? 0)
}

async function wronglyHeld(pool: Pool): Promise<{ readonly count: number; readonly codes: readonly string[] }> {
  const { rows } = await pool.query<{ n: number; codes: string[] | null }>(
    `select count(distinct id)::int as n, array_agg(distinct r ->> 'code') as codes
     from record cross join lateral jsonb_array_elements(reasons) r where state <> 'accepted' and r ->> 'code' = any($1)`,
    [OURS]
  )
  return { count: rows[0]?.n ?? 0, codes: rows[0]?.codes ?? [] }
}

/** Planted rows must be held and repeated ones be duplicates, and no others. */
async function comparePlanted(pool: Pool, history: History): Promise<Finding[]> {
  const told = history.of('ok').filter(({ submission }) => submission.profile === 'permit')
  const { rows } = await pool.query<{ id: string; quarantined: number; duplicate: number; rejected: number }>(
    `select batch_id as id, sum(quarantined)::int as quarantined, sum(duplicate)::int as duplicate, sum(rejected)::int as rejected
     from chunk where state = 'committed' group by 1`
  )
  const counts = new Map(rows.map(row => [row.id, row]))
  return told.flatMap(({ batchIds, submission: { invalid, repeated } }) =>
    [...batchIds].flatMap(id => {
      const found = counts.get(id)
      if (!found || (found.quarantined === invalid && found.duplicate === repeated && found.rejected === 0)) return []
      const message = `has ${found.quarantined} held, ${found.duplicate} duplicate, ${found.rejected} rejected; ${invalid} and ${repeated} were planted`
      return [{ guarantee: 'unexpected', subject: id, message }]
    })
  )
}

export interface CheckOptions {
  /** Records may be decided about, run again or cancelled by the test itself: what was planted says nothing then. */
  readonly ignorePlanted?: boolean
  /** Batches made by other than the clients of the history. */
  readonly ignoreUnknown?: boolean
}

/**
 * Everything that must hold after a test, by the tables, the store, what clients were told, `docket verify` and the logs.
 * Run when nothing is left to do and no process is at work.
 */
export async function check(it: Checked, secondsToDrain: number, options: CheckOptions = {}): Promise<Verdict> {
  const { pool, history } = it
  const evidence = evidenceOf(history, await readBlobs(it.payloads))
  const findings = await findBroken(pool, evidence)
  findings.push(...judgeAnswers(history))
  if (!options.ignoreUnknown) findings.push(...(await compareHistory(pool, history)))
  if (!options.ignorePlanted) findings.push(...(await comparePlanted(pool, history)))
  const store = await createFileStore({ folder: it.payloads, newId })
  const keys = await loadLogKeys(loadConfig({ DOCKET_DATA: it.folder, DATABASE_URL: 'postgres://none' }))
  const report = await verify({ pool, store, payloads: true, keys })
  for (const { check: guarantee, subject, message } of report.offenders)
    findings.push({ guarantee: `verify ${guarantee}`, subject, message })
  const { swept, left } = await sweepAndCount(it)
  const [canaries, held] = [await canaryHits(it), await wronglyHeld(pool)]
  const count = (...names: readonly string[]): number =>
    findings.filter(({ guarantee }) => names.includes(guarantee)).length
  const about = (guarantee: string, pattern: RegExp): number =>
    findings.filter(finding => finding.guarantee === guarantee && pattern.test(finding.message)).length
  const isSound = (...names: readonly RegExp[]): string =>
    findings.some(({ guarantee }) => names.some(name => name.test(guarantee))) ? 'BROKEN' : 'OK'
  const line = [
    `acked ${evidence.acked.length}`,
    `lost ${count('G1')}`,
    `duplicate ${count('G3', 'G12')}`,
    `unexpected ${count('unexpected')}`,
    `non-terminal ${count('G2')}`,
    `orphan-blob ${left}`,
    `missing-blob ${count('G6')}`,
    `no-audit ${about('G4', /first entries|commits to/)}`,
    `audit-no-record ${about('G4', /no record/)}`,
    `chain ${isSound(/^G7$/, /^verify (?!log|checkpoint|payload)/)}`,
    `checkpoint ${isSound(/^G[89]$/, /^verify (?:log|checkpoint)/)}`,
    `canary hits ${canaries}`,
    `secs-to-drain ${secondsToDrain.toFixed(1)}`,
    `wrongly held ${[held.count, ...held.codes].join(' ')}`,
    `swept ${swept}`
  ].join(' | ')
  return {
    ok: findings.length === 0 && left === 0 && canaries === 0,
    findings,
    line,
    wronglyHeld: held.count,
    acked: evidence.acked.length
  }
}
