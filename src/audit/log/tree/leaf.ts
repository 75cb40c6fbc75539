import { canonicalJson } from '../../../model/json.ts'
import { leafHash } from '../../merkle.ts'

/** What a leaf tells of a commit. */
export interface CommitFacts {
  readonly jurisdiction: string
  readonly id: string
  readonly entries: number
  readonly root: Buffer
  /** RFC 3339 in UTC with microseconds, as the database writes it. */
  readonly committedAt: string
}

/** The data of a commit's leaf: the canonical JSON text of its row. */
export const leafText = ({ jurisdiction, id, entries, root, committedAt }: CommitFacts): string =>
  canonicalJson({
    commit: id,
    committed_at: committedAt,
    entries,
    form: 1,
    jurisdiction,
    root: root.toString('hex')
  })

/** RFC 6962 hash of a commit's leaf. */
export const commitLeafHash = (commit: CommitFacts): Buffer => leafHash(Buffer.from(leafText(commit)))
