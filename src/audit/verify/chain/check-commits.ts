import type { Tx } from '../../../db/pool.ts'
import { type CommitLeaves, streamCommits } from '../../../db/verify/chains.ts'
import { merkleRoot } from '../../merkle.ts'
import type { Tally } from '../tally.ts'

/** Bytes of a SHA-256. */
const HASH_SIZE = 32

const split = (hashes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(hashes.length / HASH_SIZE) }, (_, i) =>
    hashes.subarray(i * HASH_SIZE, (i + 1) * HASH_SIZE)
  )

/** What is wrong with a commit whose row exists. */
function rootFault({ entries, root, leaves, hashes }: CommitLeaves): string | undefined {
  if (entries !== leaves) return `counts ${entries} entries and has ${leaves}`
  const found = merkleRoot(split(hashes ?? Buffer.alloc(0)))
  return root?.equals(found) ? undefined : `its root is not that of its ${leaves} entries`
}

/** Checks that entries and commit rows name each other completely. Answers how many commit rows there were. */
export async function checkCommits(tx: Tx, jurisdiction: string, tally: Tally): Promise<number> {
  let seen = 0
  for await (const commit of streamCommits(tx, jurisdiction)) {
    if (commit.entries === null) {
      const message = `${commit.leaves} entries, this subject's first among them, name a commit that does not exist`
      tally.add('commit-missing', jurisdiction, { subject: commit.subject ?? '', message })
      continue
    }
    seen += 1
    const message = rootFault(commit)
    if (message) tally.add('commit-root', jurisdiction, { subject: commit.id, message })
  }
  return seen
}
