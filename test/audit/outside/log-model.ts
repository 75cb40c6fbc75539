import { createHash, type KeyObject } from 'node:crypto'
import { checkpointText, signNote } from '../../../src/audit/log/signing/signed-note.ts'
import { growTree } from '../../../src/audit/log/tree/growing-tree.ts'
import { leafHash, merkleRoot } from '../../../src/audit/merkle.ts'
import { canonicalJson, type Json } from '../../../src/model/json.ts'

export type Random = (below: number) => number

/** What an entry says that nothing else decides. */
export interface ModelEntry {
  subject: string
  readonly kind: 'batch' | 'file' | 'record'
  actor: string
  reasons: string[]
  detail: Record<string, Json>
  transitions: [string, string][]
  key: string
  content: string | undefined
}

export interface ModelCommit {
  readonly id: string
  readonly batch: string
  at: string
  entries: ModelEntry[]
}

/** A log as whoever runs Docket would make it anew: all that follows from its facts is computed. */
export interface LogModel {
  readonly jurisdiction: string
  commits: ModelCommit[]
  /** Sizes at which checkpoints were signed. */
  readonly signedAt: number[]
}

const ORIGIN = 'docket'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
export const hexOf = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => random(16).toString(16)).join('')
const idOf = (random: Random): string =>
  `0198${hexOf(random, 4)}-${hexOf(random, 4)}-7${hexOf(random, 3)}-8${hexOf(random, 3)}-${hexOf(random, 12)}`
export const timeOf = (random: Random): string =>
  `2026-${String(1 + random(12)).padStart(2, '0')}-${String(10 + random(18))}T0${random(10)}:${10 + random(50)}:${10 + random(50)}.${100_000 + random(899_999)}Z`

function entryOf(
  random: Random,
  kind: ModelEntry['kind'],
  states: readonly string[],
  key = hexOf(random, 64)
): ModelEntry {
  return {
    subject: idOf(random),
    kind,
    actor: kind === 'record' ? `worker:${random(9)}` : `key:${hexOf(random, 8)}`,
    reasons: states.at(-1) === 'quarantined' ? ['FIELD_MISSING'] : [],
    detail: kind === 'file' ? { bytes: random(1_000_000), sha256: key } : { version: 1 + random(3) },
    transitions: states.map(state => [state, timeOf(random)]),
    key,
    content: kind === 'record' ? hexOf(random, 64) : undefined
  }
}

/** Batches with a file and records, worked, partly held and released; 8 to about 60 entries in 3 to about 20 commits. */
export function randomLog(random: Random): LogModel {
  const commits: ModelCommit[] = []
  const open: ModelEntry[] = []
  const commit = (batch: string, entries: ModelEntry[]): void => {
    commits.push({ id: idOf(random), batch, at: timeOf(random), entries })
  }
  for (let batch = 0; batch < 1 + random(4); batch += 1) {
    const first = entryOf(random, 'batch', ['received'])
    commit(first.subject, [first, entryOf(random, 'file', ['received'])])
    for (let chunk = 0; chunk < 1 + random(3); chunk += 1) {
      const records = Array.from({ length: 1 + random(6) }, () =>
        entryOf(random, 'record', ['received', random(3) === 0 ? 'quarantined' : 'accepted'])
      )
      open.push(...records.map(record => ({ ...record, batch: first.subject })))
      commit(first.subject, records)
    }
    commit(first.subject, [
      { ...first, reasons: [], detail: { accepted: random(9) }, transitions: [['completed', timeOf(random)]] }
    ])
    const held = open[random(open.length)] as ModelEntry & { batch: string }
    commit(held.batch, [
      {
        ...held,
        content: hexOf(random, 64),
        reasons: [],
        detail: { version: 1 },
        transitions: [['accepted', timeOf(random)]]
      }
    ])
  }
  const signedAt = [...new Set([1 + random(commits.length), 1 + random(commits.length), commits.length])]
  return { jurisdiction: '53033', commits, signedAt: signedAt.toSorted((a, b) => a - b) }
}

export interface BuiltLog {
  readonly lines: string[]
  /** For each line, the ids by which a fault may be told. */
  readonly names: string[][]
  readonly notes: { readonly name: string; readonly text: string }[]
}

interface Chain {
  readonly kind: string
  readonly digest: string
  seq: number
  hash: Buffer
}

/** Export and signed checkpoints of a log; `keys` sign as many notes as there are sizes. */
export function buildLog({ jurisdiction, commits, signedAt }: LogModel, keys: readonly KeyObject[]): BuiltLog {
  const [lines, names]: [string[], string[][]] = [[], []]
  const add = (value: Json, ...told: string[]): void => {
    lines.push(JSON.stringify(value))
    names.push(told)
  }
  const chains = new Map<string, Chain>()
  const tree = growTree()
  const notes: { name: string; text: string }[] = []
  let entries = 0
  add({ type: 'export', form: 1, jurisdiction })
  for (const [index, one] of commits.entries()) {
    const written = one.entries
      .toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
      .map(entry => {
        const chain = chains.get(entry.subject)
        const previous = chain?.hash ?? (entry.kind === 'record' ? chains.get(one.batch)?.hash : undefined)
        const seq = (chain?.seq ?? 0) + 1
        const text = canonicalJson({
          actor: entry.actor,
          batch: one.batch,
          commit: one.id,
          ...(entry.content === undefined ? {} : { content: entry.content }),
          detail: entry.detail,
          form: 1,
          ...(entry.kind === 'record' ? { idempotency_key: entry.key } : {}),
          jurisdiction,
          kind: entry.kind,
          manifest: 'permit@1+000000000000',
          previous: previous?.toString('hex') ?? null,
          reasons: entry.reasons,
          seq,
          subject: entry.subject,
          transitions: entry.transitions
        })
        return { entry, seq, text, hash: sha256(text) }
      })
    for (const { entry, seq, hash } of written) {
      chains.set(entry.subject, { kind: entry.kind, digest: entry.key, seq, hash })
    }
    const root = merkleRoot(written.map(({ hash }) => hash)).toString('hex')
    const leaf = canonicalJson({
      commit: one.id,
      committed_at: one.at,
      entries: written.length,
      form: 1,
      jurisdiction,
      root
    })
    // Of the leaf's own text only the checkpoints tell.
    add({ type: 'commit', index, leaf }, one.id, `checkpoint ${signedAt.find(size => size > index)}:`)
    for (const { entry, seq, text } of written) {
      add({ type: 'entry', subject: entry.subject, seq, entry: text }, entry.subject, one.id)
    }
    entries += written.length
    tree.append(leafHash(Buffer.from(leaf)))
    if (signedAt.includes(tree.size)) {
      const text = checkpointText({ origin: `${ORIGIN}/${jurisdiction}`, size: tree.size, root: tree.root() })
      notes.push({ name: `checkpoint-${tree.size}`, text: signNote(text, `${ORIGIN}/${jurisdiction}`, keys) })
    }
  }
  for (const [id, { kind, seq, hash, digest }] of [...chains].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const fingerprint = kind === 'batch' ? {} : { [kind === 'file' ? 'sha256' : 'key']: digest }
    add({ type: 'subject', kind, id, seq, hash: hash.toString('hex'), ...fingerprint }, id)
  }
  add({ type: 'end', commits: commits.length, entries, subjects: chains.size })
  return { lines, names, notes }
}
