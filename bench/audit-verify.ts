import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText, signNote, verifierOf, writeVerifier } from '../src/audit/log/signing/signed-note.ts'
import { growTree } from '../src/audit/log/tree/growing-tree.ts'
import { commitLeafHash, leafText } from '../src/audit/log/tree/leaf.ts'
import { merkleRoot } from '../src/audit/merkle.ts'
import { canonicalJson } from '../src/model/json.ts'

// Time and memory of the two outside verifiers. node bench/audit-verify.ts [entries, default 1,000,000]
const ENTRIES = Number(process.argv[2] ?? 1_000_000)
const PER_COMMIT = 500
const J = '53033'
const AT = '2026-06-01T10:00:00.000000Z'
const folder = mkdtempSync(join(tmpdir(), 'docket-audit-'))
const sha = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Ids whose order is that of their numbers and whose ends are as good as random. */
const idOf = (n: number): string => {
  const digits = n.toString(16).padStart(12, '0')
  const tail = sha(`id ${n}`).toString('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail.slice(6, 18)}`
}
const entryOf = (n: number, commit: string, previous: string | null): string =>
  canonicalJson({
    actor: 'worker:0198c0de-0000-7000-8000-000000000000',
    batch: idOf(0),
    commit,
    ...(n === 0 ? {} : { detail: { version: 1 }, idempotency_key: sha(`key ${n}`).toString('hex') }),
    form: 1,
    jurisdiction: J,
    kind: n === 0 ? 'batch' : 'record',
    manifest: 'permit@3+9f2c0000',
    previous,
    reasons: [],
    seq: 1,
    subject: idOf(n),
    transitions: ['received', 'extracted', 'enriched', 'validated', 'accepted'].map(step => [step, AT])
  })

const path = join(folder, 'export.ndjson')
const file = await open(path, 'w')
const key = generateKeyPairSync('ed25519').privateKey
const tree = growTree()
const subjects: string[] = []
let previous: string | null = null
await file.write(`${JSON.stringify({ type: 'export', form: 1, jurisdiction: J })}\n`)
for (let from = 0; from < ENTRIES; from += from === 0 ? 1 : PER_COMMIT) {
  const count = Math.min(from === 0 ? 1 : PER_COMMIT, ENTRIES - from)
  const id = idOf(2 ** 40 + from)
  const entries = Array.from({ length: count }, (_, i) => entryOf(from + i, id, previous))
  const hashes = entries.map(sha)
  const commit = { jurisdiction: J, id, entries: count, root: merkleRoot(hashes), committedAt: AT }
  const lines = [JSON.stringify({ type: 'commit', index: tree.size, leaf: leafText(commit) })]
  tree.append(commitLeafHash(commit))
  for (const [i, entry] of entries.entries()) {
    lines.push(JSON.stringify({ type: 'entry', subject: idOf(from + i), seq: 1, entry }))
    const hash = hashes[i]?.toString('hex')
    const row = { type: 'subject', kind: from === 0 ? 'batch' : 'record', id: idOf(from + i), seq: 1, hash }
    subjects.push(JSON.stringify(from === 0 ? row : { ...row, key: sha(`key ${from + i}`).toString('hex') }))
  }
  await file.write(`${lines.join('\n')}\n`)
  if (from === 0) previous = hashes[0]?.toString('hex') ?? null
}
for (let i = 0; i < subjects.length; i += 1000) await file.write(`${subjects.slice(i, i + 1000).join('\n')}\n`)
await file.write(`${JSON.stringify({ type: 'end', commits: tree.size, entries: ENTRIES, subjects: ENTRIES })}\n`)
await file.close()
const name = `docket/${J}`
mkdirSync(join(folder, 'checkpoints'))
const note = signNote(checkpointText({ origin: name, size: tree.size, root: tree.root() }), name, [key])
writeFileSync(join(folder, 'checkpoints/1'), note)
writeFileSync(join(folder, 'keys'), `${writeVerifier(verifierOf(name, key))}\n`)

const args = [path, '--checkpoints', join(folder, 'checkpoints'), '--keys', join(folder, 'keys')]
const docket = [process.execPath, join(import.meta.dirname, '../src/cli/main.ts'), 'audit', 'verify', ...args]
/** Runs a program and answers what it used, as its parent is told of it. */
const MEASURE = `import resource, subprocess, sys, time
begun = time.time()
status = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"status {status}, {time.time() - begun:.1f} s by the clock, {used.ru_utime + used.ru_stime:.1f} s of processor, {used.ru_maxrss / 1024:.0f} MB")`
for (const command of [docket, ['python3', join(import.meta.dirname, '../tools/verify_audit.py'), ...args]]) {
  console.log(execFileSync('python3', ['-c', MEASURE, ...command], { encoding: 'utf8' }).trim())
}
rmSync(folder, { recursive: true })
