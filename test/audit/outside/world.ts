import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { exportLines } from '../../../src/audit/log/export.ts'
import { sealAll } from '../../../src/audit/log/seal.ts'
import { verifierOf, writeVerifier } from '../../../src/audit/log/signing/signed-note.ts'
import { main } from '../../../src/cli/main.ts'
import type { Tx } from '../../../src/db/pool.ts'
import { noteDownload } from '../../../src/review/note-download.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'

export const PYTHON = join(import.meta.dirname, '../../../tools/verify_audit.py')

const KEY = generateKeyPairSync('ed25519').privateKey

/** A table of permits, some of which are held for a missing parcel. */
const permits = (from: number, count: number): string =>
  [
    'submission_id,permit_type_code,parcel_id,jurisdiction_fips,project_valuation',
    ...Array.from({ length: count }, (_, i) => `P-${from + i},BLDG,${i % 5 === 0 ? '' : `123456${i}`},53033,1000.00`)
  ].join('\n')

export interface Verdict {
  readonly status: number
  readonly lines: readonly string[]
}

export interface OutsideWorld {
  readonly pipeline: TestPipeline
  readonly folder: string
  readonly payloads: string
  seal(): Promise<void>
  /** Writes the export of the jurisdiction after `statement`, which is undone again; answers its path. */
  exported(statement?: string): Promise<string>
  /** What Docket's own verifier and the one in Python say of an export. */
  verdicts(
    path: string,
    options?: { readonly checkpoints?: string; readonly payloads?: boolean }
  ): Promise<{
    readonly own: Verdict
    readonly python: Verdict
  }>
}

async function runOwn(args: readonly string[]): Promise<Verdict> {
  const lines: string[] = []
  const io = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line), env: {} }
  const status = await main(['audit', 'verify', ...args], io)
  return { status, lines }
}

const runPython = (args: readonly string[]): Promise<Verdict> =>
  new Promise(settle => {
    execFile('python3', [PYTHON, ...args], { maxBuffer: 1e7 }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter(line => line !== '')
      settle({ status: error ? Number(error.code ?? 99) : 0, lines })
    })
  })

/** Batches that were worked, decided about and downloaded, a sealed log of them, and its checkpoints and key outside. */
export async function outsideWorld(t: Test): Promise<OutsideWorld> {
  const pipeline = await testPipeline(t)
  const { pool } = pipeline
  const outside = await mkdtemp(join(tmpdir(), 'docket-outside-'))
  t.teardown(() => rm(outside, { recursive: true, force: true }))
  const folder = join(outside, 'checkpoints')
  await mkdir(folder)
  const seal = async (): Promise<void> => {
    await sealAll({ pool, origin: 'docket', keys: [KEY], retired: [] })
    const { rows } = await pool.query<{ note: string }>('select note from audit_checkpoint order by size')
    for (const [n, { note }] of rows.entries()) await writeFile(join(folder, `checkpoint-${n}`), note)
  }
  pipeline.work()
  for (const [from, count] of [
    [0, 30],
    [100, 3]
  ] as const) {
    const { id } = await pipeline.submit([{ name: `${from}.csv`, bytes: permits(from, count), type: 'text/csv' }])
    await pipeline.finished(id)
    await seal()
  }
  const { rows } = await pool.query<{ id: string }>('select id from record order by id limit 4')
  for (const { id } of rows) {
    await noteDownload(pipeline.deps, {
      kind: 'record',
      jurisdiction: JURISDICTION,
      id,
      what: 'payload',
      actor: 'key:x'
    })
  }
  await seal()
  const keys = join(outside, 'keys')
  await writeFile(keys, `# the log's key\n${writeVerifier(verifierOf(`docket/${JURISDICTION}`, KEY))}\n`)
  let exports = 0
  return {
    pipeline,
    folder,
    payloads: join(pipeline.config.payloadFolder, JURISDICTION),
    seal,
    async exported(statement) {
      exports += 1
      const path = join(outside, `${exports}.ndjson`)
      const client = await pool.connect()
      try {
        await client.query('begin; set local session_replication_role = replica')
        if (statement !== undefined) await client.query(statement)
        await writeFile(path, exportLines(client as unknown as Tx, JURISDICTION))
      } finally {
        await client.query('rollback')
        client.release()
      }
      return path
    },
    async verdicts(path, { checkpoints = folder, payloads = false } = {}) {
      const args = [path, '--checkpoints', checkpoints, '--keys', keys]
      if (payloads) args.push('--payloads', join(pipeline.config.payloadFolder, JURISDICTION))
      return { own: await runOwn(args), python: await runPython(args) }
    }
  }
}
