import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrashPoint } from '../../../src/crash-points.ts'
import { setRetentionRule } from '../../../src/db/retention/rules.ts'
import type { Chance } from '../harness/random.ts'
import { JURISDICTION, type System } from '../harness/system.ts'
import { waitFor } from '../harness/wait.ts'
import { HEADERS, submit } from '../load/client.ts'
import { permits, type Submission, stamped } from '../load/content.ts'
import type { History } from '../load/history.ts'

export interface Deeds {
  readonly system: System
  readonly history: History
  readonly chance: Chance
  /** Says when the process has died, so that a deed need not be finished. */
  readonly isOver: () => boolean
}

/** Jurisdiction whose parcels are asked for elsewhere. */
export const ASKING = '17031'

/** Jurisdiction whose records are kept for a while only. */
export const RETAINED = '06037'

const SAMPLES = join(import.meta.dirname, '../../../samples')
const FIXTURES = join(import.meta.dirname, '../../fixtures')
const DAY_SECONDS = 86_400

let count = 0

async function send(deeds: Deeds, submission: Submission, jurisdiction = JURISDICTION): Promise<string> {
  const { system, history, chance } = deeds
  count += 1
  const options = { name: 'deeds', address: system.address, history, chance, tries: 30, jurisdiction }
  const operation = await submit(options, `${chance.seed}-deed-${count}`, submission)
  const [id] = operation.batchIds
  if (id === undefined) throw new Error('a submission was not taken in thirty tries')
  return id
}

const tagOf = ({ chance }: Deeds): string => `${chance.seed}D${(count += 1)}`

const rows = (deeds: Deeds, n: number): Submission => permits(deeds.chance, tagOf(deeds), n)

function sample(deeds: Deeds, path: string, profile: Submission['profile'], type: string): Submission {
  const bytes = stamped(readFileSync(path), type, tagOf(deeds))
  const filename = path.split('/').at(-1) ?? path
  return { profile, kind: 'document', type, filename, bytes, records: null, invalid: 0, repeated: 0 }
}

/** A call of a person, until it has been answered, or a repetition says that it was carried out the first time. */
async function ask(deeds: Deeds, method: string, path: string, init: RequestInit = {}): Promise<Response> {
  return waitFor(`${method} ${path}`, 60, async () => {
    const response = await fetch(`${deeds.system.address()}${path}`, {
      ...init,
      method,
      headers: { ...HEADERS, ...(init.headers as Record<string, string> | undefined) },
      signal: AbortSignal.timeout(15_000)
    }).catch(() => undefined)
    return response !== undefined && response.status < 500 ? response : undefined
  })
}

async function ended(deeds: Deeds, id: string): Promise<void> {
  await waitFor(`the end of batch ${id}`, 90, async () => {
    if (deeds.isOver()) return true
    const { rows: found } = await deeds.system.pool.query<{ state: string }>('select state from batch where id = $1', [
      id
    ])
    return found[0]?.state === 'completed'
  })
}

/** A record that is held for want of its parcel, in a batch that has ended. */
async function heldRecord(deeds: Deeds): Promise<{ batchId: string; id: string; revision: number }> {
  const submission = rows(deeds, 97)
  const batchId = await send(deeds, submission)
  return waitFor('a held record', 90, async () => {
    const { rows: found } = await deeds.system.pool.query<{ id: string; revision: number }>(
      `select r.id, r.revision from record r join batch b on b.id = r.batch_id
       where r.batch_id = $1 and r.state = 'quarantined' and b.state = 'completed'`,
      [batchId]
    )
    const [one] = found
    return one && { batchId, ...one }
  })
}

async function release(deeds: Deeds): Promise<void> {
  const { id, revision } = await heldRecord(deeds)
  await ask(deeds, 'POST', `/v1/quarantine/${id}/release`, {
    headers: { 'if-match': `"${revision}"`, 'content-type': 'application/json' },
    body: JSON.stringify({ corrections: { parcel_id: '22-1' } })
  })
}

async function retry(deeds: Deeds): Promise<void> {
  const { id, revision } = await heldRecord(deeds)
  await ask(deeds, 'POST', `/v1/quarantine/${id}/retry`, { headers: { 'if-match': `"${revision}"` } })
}

/** The worker sleeps meanwhile, or there would soon be nothing to cancel. */
async function cancel(deeds: Deeds): Promise<void> {
  for (const worker of deeds.system.workers) worker.kill('SIGSTOP')
  try {
    const id = await send(deeds, rows(deeds, 5))
    await ask(deeds, 'POST', `/v1/batches/${id}/cancel`)
  } finally {
    for (const worker of deeds.system.workers) worker.kill('SIGCONT')
  }
}

async function errorsFile(deeds: Deeds): Promise<void> {
  const { batchId } = await heldRecord(deeds)
  const text = await (await ask(deeds, 'GET', `/v1/batches/${batchId}/errors.csv`)).text()
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const at = header.split(',').indexOf('parcel_id')
  const mended = lines.map(line =>
    line
      .split(',')
      .map((cell, i) => (i === at ? '22-1' : cell))
      .join(',')
  )
  const bytes = Buffer.from(`${[header, ...mended].join('\n')}\n`)
  const what = { profile: 'permit', kind: 'csv', type: 'text/csv', filename: 'errors.csv', bytes } as const
  await ended(deeds, await send(deeds, { ...what, records: mended.length, invalid: 0, repeated: 0 }))
}

/** A file of so many chunks that its split saves its place between; the rest of it is of no interest. */
async function longSplit(deeds: Deeds): Promise<void> {
  // Cells as long as this make the file too large to be split on arrival.
  const lines = Array.from({ length: 1010 }, (_, i) => `${tagOf(deeds)}-${i},roof,22-${i},1.00,${'x'.repeat(280)}`)
  const bytes = Buffer.from(
    `submission_id,permit_type_code,parcel_id,project_valuation,work_description\n${lines.join('\n')}\n`
  )
  const what = { profile: 'permit', kind: 'csv', type: 'text/csv', filename: 'long.csv', bytes } as const
  const id = await send(deeds, { ...what, records: null, invalid: 0, repeated: 0 })
  await waitFor('the split to save its place', 90, async () => deeds.isOver())
  await ask(deeds, 'POST', `/v1/batches/${id}/cancel`)
}

/** What a crash left two days ago; the worker looks for such things when it starts. */
async function leftovers({ system }: Deeds): Promise<void> {
  const old = Date.now() / 1000 - 2 * DAY_SECONDS
  for (const folder of ['spool', JURISDICTION]) {
    mkdirSync(join(system.payloads, folder), { recursive: true })
    for (let i = 0; i < 3; i += 1) {
      const path = join(system.payloads, folder, randomUUID())
      writeFileSync(path, 'left behind')
      utimesSync(path, old, old)
    }
  }
  for (const worker of system.workers) worker.kill()
}

/** Somebody asks for their values to be erased. */
async function erase(deeds: Deeds): Promise<void> {
  const batchId = await send(deeds, rows(deeds, 3))
  await ended(deeds, batchId)
  const { rows: found } = await deeds.system.pool.query<{ id: string; revision: number }>(
    'select id, revision from record where batch_id = $1 order by item limit 1',
    [batchId]
  )
  const [one] = found
  if (!one) throw new Error('the batch has no record')
  await ask(deeds, 'POST', `/v1/records/${one.id}/erase`, {
    headers: { 'if-match': `"${one.revision}"`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'subject_request' })
  })
}

/** What was kept for longer than the rules allow; the worker looks for such things when it starts. */
async function retain(deeds: Deeds): Promise<void> {
  const { pool, workers } = deeds.system
  for (const n of [3, 4]) await ended(deeds, await send(deeds, rows(deeds, n), RETAINED))
  for (const what of ['payload', 'record'] as const)
    await setRetentionRule(pool, { jurisdiction: RETAINED, profile: 'permit', what, days: 30, setBy: 'system:faults' })
  await pool.query(`update batch set finished_at = finished_at - interval '40 days' where jurisdiction = $1`, [
    RETAINED
  ])
  await pool.query(`update record set updated_at = updated_at - interval '40 days' where jurisdiction = $1`, [RETAINED])
  for (const worker of workers) worker.kill()
}

const PDF = 'application/pdf'

/** What has to be done for a process to pass a point. */
export const DEEDS = {
  small: async deeds => void (await send(deeds, rows(deeds, 3))),
  large: async deeds => void (await send(deeds, rows(deeds, 6000))),
  longSplit,
  workbook: async deeds =>
    void (await send(deeds, sample(deeds, join(SAMPLES, 'permits/king-desk.xlsx'), 'permit', 'application/zip'))),
  archive: async deeds =>
    void (await send(deeds, sample(deeds, join(SAMPLES, 'permits/king-months.zip'), 'permit', 'application/zip'))),
  document: async deeds =>
    void (await send(deeds, sample(deeds, join(SAMPLES, 'policies/auto-unusual-order.pdf'), 'policy', PDF))),
  scan: async deeds => void (await send(deeds, sample(deeds, join(FIXTURES, 'ocr/scans/mixed.pdf'), 'policy', PDF))),
  release,
  retry,
  cancel,
  errorsFile,
  erase,
  retain,
  registry: async deeds => void (await send(deeds, rows(deeds, 3), ASKING)),
  leftovers
} as const satisfies Readonly<Record<string, (deeds: Deeds) => Promise<void>>>

export type Deed = keyof typeof DEEDS

const BY_NAME: Readonly<Partial<Record<CrashPoint, Deed>>> = {
  'split.unpacked': 'workbook',
  'split.progress-before-commit': 'longSplit',
  'split.progress-committed': 'longSplit',
  'redrive.ran': 'retry',
  'redrive.applied': 'retry',
  'payload.removed': 'retain'
}

const BY_GROUP: Readonly<Record<string, Deed>> = {
  intake: 'small',
  store: 'small',
  cancel: 'cancel',
  retry: 'retry',
  decide: 'release',
  split: 'large',
  archive: 'archive',
  chunk: 'small',
  commit: 'small',
  complete: 'small',
  document: 'document',
  extraction: 'document',
  ocr: 'scan',
  seal: 'small',
  publish: 'small',
  redrive: 'retry',
  corrections: 'errorsFile',
  registry: 'registry',
  sweep: 'leftovers',
  erase: 'erase',
  settle: 'erase',
  payload: 'erase',
  retention: 'retain'
}

export function deedOf(point: CrashPoint): Deed {
  const deed = BY_NAME[point] ?? BY_GROUP[point.split('.')[0] ?? '']
  if (deed === undefined) throw new Error(`nothing is known that passes ${point}`)
  return deed
}
