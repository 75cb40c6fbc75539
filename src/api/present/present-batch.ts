import type { BatchLine, BatchView } from '../../db/batches.ts'
import type { BatchBody, BatchSummary } from './schemas.ts'

/** A batch as it stands in a listing. */
export const presentLine = (batch: BatchLine): BatchSummary => ({
  id: batch.id,
  state: batch.state,
  profile: batch.profile,
  jurisdiction: batch.jurisdiction,
  source: batch.source,
  lane: batch.lane,
  dry_run: batch.dryRun,
  parent_batch_id: batch.parentBatchId,
  manifest_version: batch.manifestVersion,
  counts: {
    total: batch.total,
    pending: batch.pending,
    accepted: batch.accepted,
    duplicate: batch.duplicate,
    quarantined: batch.quarantined,
    rejected: batch.rejected,
    cancelled: batch.cancelled
  },
  received_at: batch.receivedAt.toISOString(),
  started_at: batch.startedAt?.toISOString() ?? null,
  finished_at: batch.finishedAt?.toISOString() ?? null
})

const isFinished = (batch: BatchView): boolean => batch.state === 'completed' || batch.state === 'cancelled'

/** Share of the work done, 0–1: records settled, of those found, scaled by the share of files that are split. */
function progressOf(batch: BatchView): number {
  if (isFinished(batch)) return 1
  if (batch.total === 0 || batch.files === 0) return 0
  const settled = (batch.total - batch.pending) / batch.total
  const found = batch.filesSplit / batch.files
  // Rounded down, so that an unfinished batch never shows 1.
  return Math.min(0.99, Math.floor(settled * Math.max(found, 0.01) * 1000) / 1000)
}

/** Seconds to the end at the pace so far; null while there is no pace or the total is not final. */
function etaSeconds(batch: BatchView): number | null {
  if (isFinished(batch)) return 0
  const settled = batch.total - batch.pending
  if (batch.filesSplit < batch.files || settled === 0 || batch.elapsedSeconds === null) return null
  return Math.ceil((batch.elapsedSeconds / settled) * batch.pending)
}

/** A batch as answered, with counts that add up. */
export function presentBatch(batch: BatchView): BatchBody {
  const self = `/v1/batches/${batch.id}`
  return {
    ...presentLine(batch),
    total_final: batch.filesSplit === batch.files,
    progress: progressOf(batch),
    eta_seconds: batch.paused ? null : etaSeconds(batch),
    paused: batch.paused && { ...batch.paused, since: new Date(batch.paused.since).toISOString() },
    stages: Object.fromEntries(Object.entries(batch.stageMs).map(([stage, ms]) => [stage, { total_ms: ms }])),
    links: {
      self,
      records: `${self}/records`,
      progress: `${self}/progress`,
      quarantine: `/v1/quarantine?batch_id=${batch.id}`
    }
  }
}
