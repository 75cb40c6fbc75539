import type { KeyObject } from 'node:crypto'
import type { Tx } from '../../db/pool.ts'
import { streamCheckpoints, streamLeaves } from '../../db/verify/log.ts'
import { judgeSignatures, readCheckpoint, readNote, type VerifierKey } from '../log/signing/signed-note.ts'
import { verifiersFor } from '../log/signing/signing-keys.ts'
import { type GrowingTree, growTree } from '../log/tree/growing-tree.ts'
import { commitLeafHash } from '../log/tree/leaf.ts'
import type { CheckName } from './checks.ts'
import { TileComparison } from './compare-tiles.ts'
import type { Tally } from './tally.ts'

/** The keys whose signatures count. */
export interface LogKeys {
  readonly origin: string
  readonly keys: readonly KeyObject[]
  readonly retired: readonly VerifierKey[]
}

interface Context {
  readonly jurisdiction: string
  readonly keys: LogKeys | undefined
  readonly report: (check: CheckName, subject: string, message: string) => void
}

type Head = { readonly size: number; readonly root: Buffer; readonly note: string }

/** Checks a checkpoint against the tree of exactly its size, or undefined when the log has not so many leaves. */
function checkHead({ jurisdiction, keys, report }: Context, head: Head, root: Buffer | undefined): void {
  const subject = `checkpoint ${head.size}`
  if (root === undefined) report('checkpoint-root', subject, 'the log has fewer commits')
  else if (!root.equals(head.root)) report('checkpoint-root', subject, "its root is not that of the log's commits")
  const told = readCheckpoint(readNote(head.note)?.text ?? '')
  if (told?.size !== head.size || !told.root.equals(head.root) || !told.origin.endsWith(`/${jurisdiction}`)) {
    return report('checkpoint-note', subject, 'its note tells of another tree, or is none')
  }
  if (!keys) return
  const verifiers = verifiersFor(keys.origin, jurisdiction, keys.keys, keys.retired)
  const worth = judgeSignatures(head.note, verifiers)
  if (worth === 'invalid') report('checkpoint-signature', subject, 'a signature is not of its text')
  if (worth === 'unknown') report('checkpoint-signature', subject, 'no key that is known here signed it')
}

/** Takes the checkpoints of the sizes that a growing tree passes through. */
async function* headsOf(tx: Tx, context: Context, tree: GrowingTree): AsyncGenerator<undefined, number> {
  let seen = 0
  let last = 0
  for await (const head of streamCheckpoints(tx, context.jurisdiction)) {
    while (tree.size < head.size) {
      const before = tree.size
      yield
      if (tree.size === before) break
    }
    checkHead(context, head, tree.size === head.size ? tree.root() : undefined)
    seen += 1
    last = head.size
  }
  while (true) {
    const before = tree.size
    yield
    if (tree.size === before) break
  }
  if (tree.size > last) {
    context.report(
      'checkpoint-missing',
      `checkpoint ${last}`,
      `the log goes on to ${tree.size} commits without another`
    )
  }
  return seen
}

/**
 * Checks a jurisdiction's log by growing its tree anew from the commits: places, tiles, and every checkpoint's root, note
 * and signature. Since all roots are of one growing tree, the checkpoints are consistent with each other. Answers how
 * many checkpoints there were.
 */
export async function checkLog(
  tx: Tx,
  jurisdiction: string,
  { tally, keys }: { readonly tally: Tally; readonly keys: LogKeys | undefined }
): Promise<number> {
  const report: Context['report'] = (check, subject, message) => tally.add(check, jurisdiction, { subject, message })
  const tree = growTree()
  const tiles = new TileComparison(tx, jurisdiction, message => report('log-tile', message.tile, message.fault))
  const heads = headsOf(tx, { jurisdiction, keys, report }, tree)
  await heads.next()
  for await (const commit of streamLeaves(tx, jurisdiction)) {
    if (commit.leafIndex !== tree.size) {
      report('leaf-gap', commit.id, `stands at place ${commit.leafIndex} of the log, expected ${tree.size}`)
    }
    tree.append(commitLeafHash({ jurisdiction, ...commit }))
    await tiles.take(tree.takeTiles())
    await heads.next()
  }
  await tiles.end()
  for (;;) {
    const { done, value } = await heads.next()
    if (done) return value
  }
}
