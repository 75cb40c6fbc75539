import { hash as digest } from 'node:crypto'
import { canonicalJson } from '../../model/json.ts'
import type { Checkpoint, VerifierKey } from '../log/signing/signed-note.ts'
import { growTree } from '../log/tree/growing-tree.ts'
import { leafHash, merkleRoot } from '../merkle.ts'
import { parseEntry } from '../verify/chain/parse-entry.ts'
import { Chains } from './chains.ts'
import { readCheckpoints } from './checkpoints.ts'
import { type Members, readLines, readObject } from './read-lines.ts'

export interface OutsideFault {
  readonly check: string
  /** What is at fault: an entry as `entry <subject>/<number>`, a commit, a checkpoint. */
  readonly place: string
  readonly message: string
}

export interface OutsideReport {
  readonly ok: boolean
  readonly commits: number
  readonly entries: number
  readonly subjects: number
  /** Checkpoints that are good, and the commits that the largest of them covers. */
  readonly checkpoints: number
  readonly covered: number
  /** The first of them, in the order in which they were found. */
  readonly faults: readonly OutsideFault[]
  readonly faultCount: number
}

export interface OutsideOptions {
  readonly exportPath: string
  readonly notes: readonly { readonly name: string; readonly text: string }[]
  readonly keys: readonly VerifierKey[]
  /** Digest of the payload of a file, in hex; undefined when it is not there. Without it payloads are not looked at. */
  readonly payload?: (fileId: string) => Promise<string | undefined>
}

const KINDS = ['batch', 'file', 'record', 'export']
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Faults that are kept; the others are counted. */
const KEPT = 20

/** The commit that is being read: what its leaf says and the entries that came so far. */
interface OpenCommit {
  readonly id: string
  readonly entries: number
  readonly root: string
  readonly hashes: Buffer[]
  last: string
}

class Verification {
  readonly faults: OutsideFault[] = []
  faultCount = 0
  readonly counts = { commits: 0, entries: 0, subjects: 0 }
  readonly tree = growTree()
  readonly chains: Chains
  heads: Checkpoint[] = []
  good = 0
  isEnded = false
  private jurisdiction = ''
  private commit: OpenCommit | undefined
  private isPastLog = false
  private lines = 0
  private lastSubject = ''
  private section = 0
  private readonly options: OutsideOptions

  constructor(options: OutsideOptions) {
    this.options = options
    this.chains = new Chains(this.report)
  }

  readonly report = (check: string, place: string, message: string): void => {
    this.faultCount += 1
    if (this.faults.length < KEPT) this.faults.push({ check, place, message })
  }

  async take(line: string): Promise<void> {
    this.lines += 1
    const value = readObject(line)
    const type = value?.['type']
    const order = ['export', 'commit', 'entry', 'subject', 'end'].indexOf(typeof type === 'string' ? type : '')
    const isHeader = order === 0
    if (!value || order < 0 || isHeader !== (this.lines === 1) || this.isEnded) {
      return this.report('export-form', `line ${this.lines}`, 'does not belong here')
    }
    const section = Math.max(order, 2)
    if (section < this.section) return this.report('export-form', `line ${this.lines}`, 'comes too late')
    this.section = isHeader ? 0 : section
    if (type === 'export') this.begin(value)
    else if (type === 'commit') this.openCommit(value)
    else if (type === 'entry') this.takeEntry(value)
    else if (type === 'subject') await this.takeSubject(value)
    else this.finish(value)
  }

  /** To be called when there are no more lines. */
  close(): void {
    this.closeCommit()
    if (!this.isEnded) this.report('export-form', `line ${this.lines + 1}`, 'the export is cut off')
    this.chains.end()
    for (const { size } of this.heads) {
      this.report('checkpoint-root', `checkpoint ${size}`, `the log has only ${this.tree.size} commits`)
    }
  }

  private begin(value: Members): void {
    if (value['form'] !== 1 || typeof value['jurisdiction'] !== 'string') {
      return this.report('export-form', 'line 1', 'is of another form')
    }
    this.jurisdiction = value['jurisdiction']
    const { notes, keys } = this.options
    this.heads = readCheckpoints(notes, { jurisdiction: this.jurisdiction, keys, report: this.report })
  }

  private openCommit(value: Members): void {
    this.closeCommit()
    this.counts.commits += 1
    const { leaf, index } = value
    const text = typeof leaf === 'string' ? leaf : ''
    const told = readObject(text)
    const { commit, entries, root, form, jurisdiction, committed_at: at } = told ?? {}
    const isWhole =
      told !== undefined &&
      form === 1 &&
      typeof at === 'string' &&
      Object.keys(told).length === 6 &&
      canonicalJson(told) === text
    if (!isWhole || typeof commit !== 'string' || typeof entries !== 'number' || typeof root !== 'string') {
      this.report('commit-form', `line ${this.lines}`, 'its leaf is not one of a commit')
    } else if (jurisdiction !== this.jurisdiction) {
      this.report('commit-form', `commit ${commit}`, 'is of another jurisdiction')
    } else {
      this.commit = { id: commit, entries, root, hashes: [], last: '' }
    }
    this.place(text, index, typeof commit === 'string' ? commit : `line ${this.lines}`)
  }

  private place(leaf: string, index: unknown, commit: string): void {
    if (index === null) {
      this.isPastLog = true
      return
    }
    if (index !== this.tree.size || this.isPastLog) {
      this.report(
        'leaf-gap',
        `commit ${commit}`,
        `stands at place ${typeof index === 'number' ? index : '?'}, expected ${this.tree.size}`
      )
    }
    this.tree.append(leafHash(Buffer.from(leaf)))
    // Nobody asks for them here, and they would gather.
    this.tree.takeTiles()
    for (let head = this.heads[0]; head?.size === this.tree.size; head = this.heads[0]) {
      this.heads.shift()
      if (head.root.equals(this.tree.root())) this.good += 1
      else this.report('checkpoint-root', `checkpoint ${head.size}`, `the first ${head.size} commits have another root`)
    }
  }

  private closeCommit(): void {
    const { commit } = this
    this.commit = undefined
    if (!commit) return
    const { id, entries, hashes, root } = commit
    if (hashes.length !== entries) {
      this.report('commit-root', `commit ${id}`, `counts ${entries} entries and has ${hashes.length}`)
    } else if (merkleRoot(hashes).toString('hex') !== root) {
      this.report('commit-root', `commit ${id}`, 'its root is not that of its entries')
    }
  }

  private takeEntry(value: Members): void {
    this.counts.entries += 1
    const { subject, seq, entry, base64 } = value
    const name = typeof subject === 'string' ? subject : '?'
    const number = typeof seq === 'number' ? seq : 0
    const place = `entry ${name}/${number}`
    const bytes =
      typeof entry === 'string' ? Buffer.from(entry) : Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64')
    const hash = Buffer.from(digest('sha256', bytes, 'hex'), 'hex')
    const { commit } = this
    if (!commit) return this.report('export-form', place, 'stands under no commit')
    commit.hashes.push(hash)
    const order = `${name} ${String(number).padStart(10, '0')}`
    if (order <= commit.last) this.report('entry-order', place, 'is out of order in its commit')
    commit.last = order
    const facts = parseEntry(bytes)
    const named = facts && bytes.subarray(bytes.indexOf('"commit":"') + 10).toString('latin1', 0, 36)
    if (!facts || !UUID.test(facts.subject))
      return this.report('entry-form', place, 'is not an entry in canonical form')
    if (
      facts.subject !== subject ||
      facts.seq !== seq ||
      facts.jurisdiction !== this.jurisdiction ||
      named !== commit.id
    ) {
      return this.report('entry-subject', place, 'was written for another subject, place, commit or jurisdiction')
    }
    this.chains.take({ facts, hash })
  }

  private async takeSubject(value: Members): Promise<void> {
    this.closeCommit()
    this.counts.subjects += 1
    const { id, kind, seq, hash, key, sha256 } = value
    if (
      typeof id !== 'string' ||
      !UUID.test(id) ||
      typeof kind !== 'string' ||
      typeof seq !== 'number' ||
      typeof hash !== 'string'
    ) {
      return this.report('export-form', `line ${this.lines}`, 'is no subject')
    }
    const told = kind === 'file' ? sha256 : key
    const needsDigest = kind === 'file' || kind === 'record'
    if (!KINDS.includes(kind) || needsDigest !== (typeof told === 'string') || id <= this.lastSubject) {
      this.report('export-form', `line ${this.lines}`, 'is no subject, or out of order')
    }
    this.lastSubject = id
    this.chains.takeSubject({ id, kind, seq, hash, fingerprint: typeof told === 'string' ? told : undefined })
    if (kind !== 'file' || !this.options.payload) return
    const found = await this.options.payload(id)
    const expected = this.chains.payloadOf(id, typeof sha256 === 'string' ? sha256 : undefined)
    if (expected === null) {
      if (found !== undefined) this.report('payload-kept', `file ${id}`, 'its payload was to be removed and is there')
    } else if (found === undefined) this.report('payload-missing', `file ${id}`, 'its payload is not there')
    else if (found !== expected) this.report('payload-digest', `file ${id}`, 'its payload is not what its entries say')
  }

  private finish(value: Members): void {
    this.closeCommit()
    this.isEnded = true
    const { commits, entries, subjects } = this.counts
    if (value['commits'] !== commits || value['entries'] !== entries || value['subjects'] !== subjects) {
      this.report('export-form', `line ${this.lines}`, 'the export has other counts than it says')
    }
  }
}

/**
 * Verifies an export against checkpoints and public keys, in one pass and without a database: forms, hashes, chains,
 * roots of commits, places, roots and signatures of checkpoints, rows against chains, payloads if they are given. Memory
 * grows by a hundred bytes for each subject only. Throws when the file cannot be read.
 */
export async function verifyExport(options: OutsideOptions): Promise<OutsideReport> {
  const verification = new Verification(options)
  for await (const line of readLines(options.exportPath)) await verification.take(line)
  verification.close()
  const { faults, faultCount, counts, good, tree } = verification
  return { ok: faultCount === 0 && good > 0, ...counts, checkpoints: good, covered: tree.size, faults, faultCount }
}
