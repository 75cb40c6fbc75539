import {
  findChunkGaps,
  findItemGaps,
  findLostFiles,
  findMisplacedChunks,
  findMisplacedPages,
  findMisplacedRecords,
  findOpenWork,
  findUnerasedValues,
  findUntoldPayloads
} from '../../db/verify/completeness.ts'
import { findMiscountedChunks, findPrematureRecords, findUnaccountedBatches } from '../../db/verify/counts.ts'
import {
  findFalseDuplicates,
  findOvertakenHeads,
  findUnconfirmedHeads,
  findUnversionedRecords,
  findVersionGaps,
  findWrongHeads,
  findWrongVersions
} from '../../db/verify/heads.ts'
import {
  findFalseDecisions,
  findFalseHolders,
  findOrphanedFollowers,
  findUnclaimedContents
} from '../../db/verify/held.ts'
import { findUnsealedCommits } from '../../db/verify/log.ts'
import type { FindOffenders } from '../../db/verify/snapshot.ts'
import type { Invariant } from './report.ts'

interface Check {
  readonly invariant: Invariant
  /** What must hold. */
  readonly promise: string
  /** The statement that finds the rows that break it; a check without one is made on the stream of chains or payloads. */
  readonly find?: FindOffenders
}

const check = (invariant: Invariant, promise: string, find?: FindOffenders): Check => ({
  invariant,
  promise,
  ...(find ? { find } : {})
})

/** Everything that is verified, in this order, each with the invariant it belongs to. */
export const CHECKS = {
  'batch-sums': check(1, 'A batch accounts for every record found in it.', findUnaccountedBatches),
  'chunk-counts': check(1, "A committed chunk's counts are those of its records.", findMiscountedChunks),
  'premature-records': check(1, 'Only committed chunks have records.', findPrematureRecords),

  'open-work': check(2, 'A finished batch has no pending chunk and no unsplit file.', findOpenWork),
  'lost-files': check(2, 'A batch has files, and something came of every split one.', findLostFiles),
  'misplaced-chunks': check(2, 'Files have their batch, chunks their file.', findMisplacedChunks),
  'misplaced-records': check(2, 'Records have their chunk, its file and its batch.', findMisplacedRecords),
  'item-gaps': check(2, "A chunk's records are numbered without gaps from its first.", findItemGaps),
  'chunk-gaps': check(2, 'Chunks of rows follow each other without gaps.', findChunkGaps),

  'head-version': check(3, 'A head points at an existing version and agrees with it.', findWrongHeads),
  'head-place': check(3, 'No version has a later place than the head.', findOvertakenHeads),
  'head-confirmed': check(3, "A record of the head's version stands at its place.", findUnconfirmedHeads),
  'version-gaps': check(3, 'Versions are numbered from 1 to the last the head knows.', findVersionGaps),
  'version-record': check(3, 'A version is of an accepted record that agrees with it.', findWrongVersions),
  'accepted-version': check(3, 'An accepted record has its version.', findUnversionedRecords),
  'duplicate-of': check(3, 'A duplicate is one of an accepted record of the same version.', findFalseDuplicates),
  'held-content': check(3, 'Held contents belong to held records.', findFalseHolders),
  'held-unclaimed': check(3, 'A held record has its content on the list.', findUnclaimedContents),
  'follower-twin': check(3, 'What a held record follows is held itself.', findOrphanedFollowers),
  'decided-content': check(3, 'Decided contents belong to records that were decided about.', findFalseDecisions),
  'version-audited': check(3, "A version stands in its record's chain."),

  'chain-missing': check(4, 'Every batch, file and record has a chain.'),
  'chain-stray': check(4, 'Every chain is of a batch, file or record.'),
  'chain-gap': check(4, "A chain's entries are numbered from 1 without gaps."),
  'entry-hash': check(4, 'The hash of an entry is that of its bytes.'),
  'entry-form': check(4, 'An entry is JSON in canonical form.'),
  'entry-subject': check(4, 'An entry tells of the subject it is stored for.'),
  'entry-link': check(4, 'An entry names the hash of the one before it.'),
  'entry-times': check(4, 'What an entry tells happened in the order of its times.'),
  'entry-facts': check(4, 'Digests and counts in an entry are those of the tables.'),
  'record-content': check(4, 'A record and its revisions are what its entries committed to.'),
  'erased-values': check(4, 'Nothing is left of the values of erased records.', findUnerasedValues),
  'payload-told': check(4, 'What became of a payload stands in the chain of its file.', findUntoldPayloads),
  'received-hash': check(4, 'A batch knows the hash of its first entry.'),
  'chain-end': check(4, 'A row knows the end of its chain.'),
  'chain-state': check(4, 'A chain ends in the state of its row.'),
  'page-chunk': check(4, 'A page of entries is of the chunk that its records are of.', findMisplacedPages),
  'commit-missing': check(4, 'The commit an entry names exists.'),
  'commit-root': check(4, "A commit's count and root are those of its entries."),
  'commit-sealed': check(4, 'A commit older than a day is in the log.', findUnsealedCommits),
  'leaf-gap': check(4, 'Commits in the log are numbered from 0, each once and without gaps.'),
  'log-tile': check(4, 'The tiles of the log are those of its commits.'),
  'checkpoint-missing': check(4, 'Every commit in the log is under a checkpoint.'),
  'checkpoint-root': check(4, 'A checkpoint has the root of as many commits of the log.'),
  'checkpoint-note': check(4, 'A checkpoint says what was signed.'),
  'checkpoint-signature': check(4, 'A checkpoint is signed by a key of the log.'),

  'payload-missing': check(5, 'The payload of every file exists, as its own.'),
  'payload-size': check(5, 'A payload has the size that was received.'),
  'payload-digest': check(5, 'A payload has the digest that was received.'),
  'payload-orphan': check(5, 'A payload older than a day belongs to a file.')
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof CHECKS

/** The names of all checks, in order. */
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[]
