import type { KeyObject } from 'node:crypto'
import { crashPoint } from '../../crash-points.ts'
import { insertCheckpoint, latestCheckpoint, type StoredCheckpoint } from '../../db/log/checkpoints.ts'
import { listUnsealed, readUnsealed, setLeafIndexes, trySealLock } from '../../db/log/commits.ts'
import { writeTiles } from '../../db/log/tiles.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import {
  checkpointText,
  judgeSignatures,
  readCheckpoint,
  readNote,
  signNote,
  type VerifierKey
} from './signing/signed-note.ts'
import { originOf, verifiersFor } from './signing/signing-keys.ts'
import { type GrowingTree, growTree, tileBytes } from './tree/growing-tree.ts'
import { commitLeafHash } from './tree/leaf.ts'
import { readEdge, tileReader } from './tree/read-tree.ts'

/** Leaves that get their places in one transaction, under one checkpoint. */
const BATCH = 1000

export interface SealDeps {
  readonly pool: Pool
  /** First part of every log's name; the jurisdiction is the last. */
  readonly origin: string
  /** All of them sign. */
  readonly keys: readonly KeyObject[]
  /** Public keys that signed once. */
  readonly retired: readonly VerifierKey[]
}

/** What is wrong with the last checkpoint, if it cannot be built upon: nothing is signed on top of a log that was altered. */
function checkpointFault(
  deps: SealDeps,
  jurisdiction: string,
  last: StoredCheckpoint,
  root: Buffer
): string | undefined {
  const { note, size } = last
  const told = readCheckpoint(readNote(note)?.text ?? '')
  if (told?.size !== size || !told.root.equals(last.root)) return 'its last checkpoint is not the note that was signed'
  if (judgeSignatures(note, verifiersFor(deps.origin, jurisdiction, deps.keys, deps.retired)) === 'invalid') {
    return 'the signature of its last checkpoint is not of its text'
  }
  return root.equals(last.root) ? undefined : 'its last checkpoint has another root than its leaves'
}

async function readTree(tx: Tx, deps: SealDeps, jurisdiction: string): Promise<GrowingTree> {
  const last = await latestCheckpoint(tx, jurisdiction)
  if (!last) return growTree()
  const tree = growTree(last.size, await readEdge(tileReader(tx, jurisdiction, last.size), last.size))
  const fault = checkpointFault(deps, jurisdiction, last, tree.root())
  if (fault === undefined) return tree
  throw new AppError('LOG_DAMAGED', `The audit log of ${jurisdiction} is not sealed further: ${fault}.`)
}

/**
 * Seals one set of commits of a jurisdiction: gives them the next places, extends the tiles, signs size and root, all in
 * one transaction under the jurisdiction's lock. Answers how many; 0 when another process is at it. Throws `LOG_DAMAGED`.
 */
export async function sealSet(deps: SealDeps, jurisdiction: string): Promise<number> {
  return withTransaction(deps.pool, async tx => {
    if (!(await trySealLock(tx, jurisdiction))) return 0
    crashPoint('seal.locked')
    const commits = await readUnsealed(tx, jurisdiction, BATCH)
    if (commits.length === 0) return 0
    const tree = await readTree(tx, deps, jurisdiction)
    const ids = commits.map(commit => commit.id)
    const placed = await setLeafIndexes(tx, jurisdiction, ids, tree.size)
    if (placed !== ids.length) throw new AppError('INTERNAL', 'Commits were sealed by somebody without the lock.')
    crashPoint('seal.placed')
    for (const commit of commits) tree.append(commitLeafHash({ jurisdiction, ...commit }))
    const tiles = tree.takeTiles()
    await writeTiles(
      tx,
      jurisdiction,
      tiles.map(tile => ({ level: tile.level, index: tile.index, hashes: tileBytes(tile) }))
    )
    crashPoint('seal.tiles-written')
    const head = { size: tree.size, root: tree.root() }
    const origin = originOf(deps.origin, jurisdiction)
    const note = signNote(checkpointText({ origin, ...head }), origin, deps.keys)
    await insertCheckpoint(tx, jurisdiction, { ...head, note })
    crashPoint('seal.before-commit')
    return commits.length
  })
}

/** Seals what is unsealed in every jurisdiction. A log that is damaged does not keep the others waiting; it is thrown at the end. */
export async function sealAll(deps: SealDeps): Promise<number> {
  let sealed = 0
  let fault: unknown
  for (const jurisdiction of await listUnsealed(deps.pool)) {
    try {
      for (let count = BATCH; count === BATCH; ) {
        count = await sealSet(deps, jurisdiction)
        crashPoint('seal.committed')
        sealed += count
      }
    } catch (error) {
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return sealed
}
