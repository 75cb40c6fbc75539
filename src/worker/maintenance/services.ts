import { hostname } from 'node:os'
import { sweepCache } from '../../db/registries/cache.ts'
import { giveSign } from '../../db/workers/signs-of-life.ts'
import { sweepSpool } from '../../intake/sweep-spool.ts'
import { sweepCorrections } from '../../pipeline/corrections/settle-corrections.ts'
import { sweepResults } from '../../pipeline/documents/sweep-results.ts'
import { sweepReports } from '../../pipeline/dry-run/sweep-reports.ts'
import { redriveUnavailable } from '../../pipeline/enrich/redrive-unavailable.ts'
import { applyRetention } from '../../pipeline/erasure/apply-retention.ts'
import { finishErasures } from '../../pipeline/erasure/erase-records.ts'
import { sweepPageImages } from '../../pipeline/page-images/sweep-page-images.ts'
import type { WorkerDeps } from '../../pipeline/work/pipeline-deps.ts'
import { raiseOldJobs } from '../../queue/live-jobs.ts'
import type { HealthGate, Need } from '../health-gate.ts'
import { closeBatches } from './close-batches.ts'
import { reconcile } from './reconcile.ts'
import type { Service } from './run-services.ts'
import { createWorkSweep } from './sweep-work.ts'

const HOUR_SECONDS = 3600

/** What a worker is known by, and where all of them have their folders. */
export interface Own {
  readonly id: string
  readonly workFolder: string
}

/** The maintenance every worker does; all of it may run beside other workers' at the same time. */
export function servicesOf(deps: WorkerDeps, own: Own, gate: HealthGate, needs: readonly Need[]): Service[] {
  const { pool, logger } = deps
  const sweepWork = createWorkSweep({ pool, logger, workFolder: own.workFolder, now: () => Date.now() })
  return [
    {
      name: 'sign-of-life',
      everyMs: 10_000,
      runOnce: async () => {
        await giveSign(pool, own.id, hostname())
        return 0
      }
    },
    { name: 'sweep-work', everyMs: 60_000, runOnce: sweepWork },
    ...needs.map(need => ({ name: `check-${need.name}`, everyMs: 5_000, runOnce: () => gate.check(need) })),
    { name: 'close-batches', everyMs: 10_000, runOnce: () => closeBatches(deps) },
    { name: 'settle-corrections', everyMs: 10_000, runOnce: () => sweepCorrections(deps) },
    { name: 'redrive-unavailable', everyMs: 5_000, runOnce: () => redriveUnavailable(deps) },
    { name: 'reconcile', everyMs: 30_000, runOnce: () => reconcile(deps) },
    { name: 'finish-erasures', everyMs: 30_000, runOnce: () => finishErasures(deps) },
    { name: 'apply-retention', everyMs: 600_000, runOnce: () => applyRetention(deps) },
    { name: 'raise-lanes', everyMs: 60_000, runOnce: () => raiseOldJobs(deps.pool, HOUR_SECONDS) },
    {
      name: 'sweep',
      everyMs: HOUR_SECONDS * 1000,
      runOnce: async () => {
        const swept = await sweepSpool({ ...deps, now: () => new Date() })
        return swept.spools + swept.payloads + swept.keys
      }
    },
    { name: 'sweep-registry-cache', everyMs: HOUR_SECONDS * 1000, runOnce: () => sweepCache(pool, 100_000) },
    { name: 'sweep-page-images', everyMs: HOUR_SECONDS * 1000, runOnce: () => sweepPageImages(deps) },
    { name: 'sweep-readings', everyMs: HOUR_SECONDS * 1000, runOnce: () => sweepResults(deps) },
    { name: 'sweep-dry-runs', everyMs: HOUR_SECONDS * 1000, runOnce: () => sweepReports(deps) }
  ]
}
