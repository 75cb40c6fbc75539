import type { Pool, Tx } from '../../db/pool.ts'
import { withSnapshot } from '../../db/verify/snapshot.ts'
import { countRows, listJurisdictions } from '../../db/verify/totals.ts'
import { checkChains } from './chain/check-chains.ts'
import { checkCommits } from './chain/check-commits.ts'
import { checkLog, type LogKeys } from './check-log.ts'
import { checkOrphans, checkPayloads, checkResults, type PayloadReader } from './check-payloads.ts'
import { CHECK_NAMES, CHECKS } from './checks.ts'
import type { Checked, VerifyReport } from './report.ts'
import { createTally, type Tally } from './tally.ts'

export interface VerifyOptions {
  readonly pool: Pool
  /** Without it payloads are not looked at. */
  readonly store?: PayloadReader
  /** Default: all. */
  readonly jurisdiction?: string
  /** Read every payload and compare its digest, too. */
  readonly payloads?: boolean
  /** Without them signatures of checkpoints are not checked. */
  readonly keys?: LogKeys
  readonly onProgress?: (step: { readonly jurisdiction: string; readonly check: string }) => void
}

type Progress = (jurisdiction: string, check: string) => void

const NOTHING: Checked = {
  batches: 0,
  files: 0,
  chunks: 0,
  records: 0,
  versions: 0,
  heads: 0,
  entries: 0,
  commits: 0,
  checkpoints: 0,
  payloads: 0
}

const sum = (a: Checked, b: Partial<Checked>): Checked =>
  Object.fromEntries(
    Object.entries(a).map(([name, count]) => [name, count + (b[name as keyof Checked] ?? 0)])
  ) as unknown as Checked

/** Every check of one jurisdiction that the database alone can answer. */
async function verifyTables(
  tx: Tx,
  jurisdiction: string,
  { tally, keys, progress }: { readonly tally: Tally; readonly keys: LogKeys | undefined; readonly progress: Progress }
): Promise<Omit<Checked, 'payloads'>> {
  for (const name of CHECK_NAMES) {
    const check = CHECKS[name]
    if (!check.find) continue
    progress(jurisdiction, name)
    for await (const finding of check.find(tx, jurisdiction)) tally.add(name, jurisdiction, finding)
  }
  progress(jurisdiction, 'chains')
  const entries = await checkChains(tx, jurisdiction, tally)
  progress(jurisdiction, 'commits')
  const commits = await checkCommits(tx, jurisdiction, tally)
  progress(jurisdiction, 'log')
  const checkpoints = await checkLog(tx, jurisdiction, { tally, keys })
  return { ...(await countRows(tx, jurisdiction)), entries, commits, checkpoints }
}

/**
 * Checks the five invariants over everything stored, or over one jurisdiction, and names the first offender of each
 * check. Changes nothing. The tables are read in one snapshot, so a deployment that is at work can be verified; memory
 * does not grow with the tables. Throws when the database or the store is away: that is no finding.
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { pool, store, jurisdiction, payloads = false, keys, onProgress } = options
  const tally = createTally()
  const progress: Progress = (code, check) => onProgress?.({ jurisdiction: code, check })
  let checked = NOTHING
  const codes = await withSnapshot(pool, async tx => {
    const found = jurisdiction === undefined ? await listJurisdictions(tx) : [jurisdiction]
    for (const code of found) checked = sum(checked, await verifyTables(tx, code, { tally, keys, progress }))
    return found
  })
  if (store) {
    for (const code of codes) {
      progress(code, 'payloads')
      checked = sum(checked, { payloads: await checkPayloads({ pool, store, tally }, code, payloads) })
      await checkResults({ pool, store, tally }, code, payloads)
    }
    progress(jurisdiction ?? 'all', 'payload-orphan')
    await checkOrphans({ pool, store, tally }, jurisdiction)
  }
  const offenders = tally.offenders()
  return { ok: offenders.length === 0, checked, offenders }
}
