import { hash as digest } from 'node:crypto'
import { canonicalJson } from '../../../model/json.ts'
import type { Checkpoint } from '../../log/signing/signed-note.ts'
import { rootByInclusion } from '../../log/tree/paths.ts'
import { leafHash, merkleRoot } from '../../merkle.ts'
import { type Members, readObject } from '../../outside/read-lines.ts'
import { type EntryFacts, parseEntry } from '../../verify/chain/parse-entry.ts'
import type { ToldEntry } from '../fate.ts'

export type Report = (check: string, place: string, message: string) => void

/** An entry that a commit under the checkpoint holds. */
export interface ProvedEntry {
  readonly facts: EntryFacts
  readonly told: ToldEntry
  readonly hash: Buffer
}

/** What a receipt says its log is. */
export interface Log {
  readonly jurisdiction: string
  /** Undefined when the receipt's checkpoint is worth nothing: that is told once. */
  readonly head: Checkpoint | undefined
}

const HASH = /^[0-9a-f]{64}$/
const sha256 = (text: string): Buffer => Buffer.from(digest('sha256', text, 'hex'), 'hex')

function pathOf(path: unknown): Buffer[] | undefined {
  if (!Array.isArray(path)) return undefined
  const steps = path.map(step => Buffer.from(typeof step === 'string' ? step : '', 'base64'))
  return steps.every(step => step.length === 32) ? steps : undefined
}

/** A commit as its leaf tells of it, when the leaf is one and stands in the log. */
function leafOf(value: Members, log: Log, report: Report): { id: string; entries: number; root: string } | undefined {
  const text = typeof value['leaf'] === 'string' ? value['leaf'] : ''
  const leaf = readObject(text)
  const { commit, entries, root, form, jurisdiction } = leaf ?? {}
  const isForm = leaf !== undefined && form === 1 && Object.keys(leaf).length === 6 && canonicalJson(leaf) === text
  if (!isForm || typeof commit !== 'string' || typeof entries !== 'number' || typeof root !== 'string') {
    report('commit-form', 'commit ?', 'its leaf is not one of a commit')
    return undefined
  }
  if (jurisdiction !== log.jurisdiction) report('commit-form', `commit ${commit}`, 'is of another jurisdiction')
  const { head } = log
  const path = pathOf(value['path'])
  const index = typeof value['index'] === 'number' ? value['index'] : -1
  const found = head && path && rootByInclusion(leafHash(Buffer.from(text)), { index, size: head.size }, path)
  if (head && !found?.equals(head.root)) {
    report('log-path', `commit ${commit}`, 'its path does not lead to the root that was signed')
  }
  return { id: commit, entries, root }
}

function readEntry(text: string, commit: string, log: Log, report: Report): ProvedEntry | undefined {
  const facts = parseEntry(Buffer.from(text))
  if (!facts) {
    report('entry-form', `commit ${commit}`, 'an entry is not in canonical form')
    return undefined
  }
  const told = JSON.parse(text) as ToldEntry & { readonly commit?: string }
  if (facts.jurisdiction !== log.jurisdiction || told.commit !== commit || !Array.isArray(told.reasons)) {
    report('entry-subject', `entry ${facts.subject}/${facts.seq}`, 'was written for another commit or jurisdiction')
  }
  return { facts, told, hash: sha256(text) }
}

/** Checks a commit of a receipt against the checkpoint; answers the entries that it proves. */
export function checkCommit(value: Members, log: Log, report: Report): ProvedEntry[] {
  const commit = leafOf(value, log, report)
  const { entries } = value
  if (!commit || !Array.isArray(entries)) return []
  const proved: ProvedEntry[] = []
  const hashes = entries.map(one => {
    if (typeof one === 'string') {
      const entry = readEntry(one, commit.id, log, report)
      if (entry) proved.push(entry)
      return sha256(one)
    }
    const hash: unknown = (one as { readonly hash?: unknown } | null)?.hash
    return Buffer.from(typeof hash === 'string' && HASH.test(hash) ? hash : '', 'hex')
  })
  if (hashes.length !== commit.entries || merkleRoot(hashes).toString('hex') !== commit.root) {
    report('commit-root', `commit ${commit.id}`, 'its root is not that of its entries')
  }
  return proved
}
