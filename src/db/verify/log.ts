import type { StoredCheckpoint } from '../log/checkpoints.ts'
import { COMMITTED_AT, type LogCommit } from '../log/commits.ts'
import type { StoredTile } from '../log/tiles.ts'
import type { Tx } from '../pool.ts'
import { finder, streamRows } from './snapshot.ts'

/** Commits that no sealer has taken into the log for so long that none can be at work. */
export const findUnsealedCommits = finder(
  `select id as subject, 'is in no log for more than a day' as message from audit_commit
   where jurisdiction = $1 and leaf_index is null and committed_at < now() - interval '1 day'`
)

/** The commits that are in a jurisdiction's log, in its order. */
export function streamLeaves(tx: Tx, jurisdiction: string): AsyncGenerator<LogCommit & { readonly leafIndex: number }> {
  return streamRows(
    tx,
    `select leaf_index as "leafIndex", id, entries, root, ${COMMITTED_AT} as "committedAt" from audit_commit
     where jurisdiction = $1 and leaf_index is not null order by leaf_index`,
    [jurisdiction]
  )
}

/** The tiles of one level, in order. */
export function streamTiles(tx: Tx, jurisdiction: string, level: number): AsyncGenerator<StoredTile> {
  return streamRows(
    tx,
    'select level, index, hashes from audit_tile where jurisdiction = $1 and level = $2 order by index',
    [jurisdiction, level]
  )
}

/** All checkpoints, the smallest first. */
export function streamCheckpoints(
  tx: Tx,
  jurisdiction: string
): AsyncGenerator<Pick<StoredCheckpoint, 'size' | 'root' | 'note'>> {
  return streamRows(tx, 'select size, root, note from audit_checkpoint where jurisdiction = $1 order by size', [
    jurisdiction
  ])
}

/** The commits that are in no log yet. */
export function streamUnsealed(tx: Tx, jurisdiction: string): AsyncGenerator<LogCommit> {
  return streamRows(
    tx,
    `select id, entries, root, ${COMMITTED_AT} as "committedAt" from audit_commit
     where jurisdiction = $1 and leaf_index is null order by id`,
    [jurisdiction]
  )
}
