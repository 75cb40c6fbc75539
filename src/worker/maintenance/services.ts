import { sweepSpool } from '../../intake/sweep-spool.ts'
import { sweepCorrections } from '../../pipeline/corrections/settle-corrections.ts'
import type { PipelineDeps } from '../../pipeline/work/pipeline-deps.ts'
import { raiseOldJobs } from '../../queue/live-jobs.ts'
import type { HealthGate, Need } from '../health-gate.ts'
import { closeBatches } from './close-batches.ts'
import { reconcile } from './reconcile.ts'
import type { Service } from './run-services.ts'

const HOUR_SECONDS = 3600

/** The maintenance every worker does; all of it may run beside other workers' at the same time. */
export function servicesOf(deps: PipelineDeps, gate: HealthGate, needs: readonly Need[]): Service[] {
  return [
    ...needs.map(need => ({ name: `check-${need.name}`, everyMs: 5_000, runOnce: () => gate.check(need) })),
    { name: 'close-batches', everyMs: 10_000, runOnce: () => closeBatches(deps) },
    { name: 'settle-corrections', everyMs: 10_000, runOnce: () => sweepCorrections(deps) },
    { name: 'reconcile', everyMs: 30_000, runOnce: () => reconcile(deps) },
    { name: 'raise-lanes', everyMs: 60_000, runOnce: () => raiseOldJobs(deps.pool, HOUR_SECONDS) },
    {
      name: 'sweep',
      everyMs: HOUR_SECONDS * 1000,
      runOnce: async () => {
        const swept = await sweepSpool({ ...deps, now: () => new Date() })
        return swept.spools + swept.payloads + swept.keys
      }
    }
  ]
}
