import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import t from 'tap'
import { verifierOf, writeVerifier } from '../../../src/audit/log/signing/signed-note.ts'
import { verifyExport } from '../../../src/audit/outside/verify-export.ts'
import { SEED, seeded } from '../log/seeded.ts'
import { type BuiltLog, buildLog, hexOf, type LogModel, type Random, randomLog, timeOf } from './log-model.ts'

/** `TAMPERINGS=10000 CLEAN_LOGS=1000` are the sizes of the figures in `docs/proof.md`. */
const TAMPERINGS = Number(process.env['TAMPERINGS'] ?? 150)
const CLEAN_LOGS = Number(process.env['CLEAN_LOGS'] ?? 40)

const KEY = generateKeyPairSync('ed25519').privateKey
const STRANGER = generateKeyPairSync('ed25519').privateKey
const VERIFIER = verifierOf('docket/53033', KEY)
const ROOT = join(import.meta.dirname, '../../..')

type Notes = BuiltLog['notes']
/** Faults as lines of text, none when the log is proved. */
type Judge = (path: string, notes: Notes) => Promise<readonly string[]>

const own: Judge = async (exportPath, notes) => {
  const { ok, faults } = await verifyExport({ exportPath, notes, keys: [VERIFIER] })
  const told = faults.map(({ check, place, message }) => `FAILED ${check}: ${place}: ${message}`)
  return ok ? [] : told.length > 0 ? told : ['NOT PROVED']
}

/** The verifier in Python, kept loaded: to start it for each log would take most of the time. */
function startPython(): { judge: Judge; stop(): void } {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    'python3',
    [join(ROOT, 'test/fixtures/audit/serve_verifier.py'), join(ROOT, 'tools')],
    { stdio: ['pipe', 'pipe', 'inherit'] }
  )
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async judge(path, notes) {
      const asked = {
        export: path,
        notes: notes.map(({ name, text }) => [name, text]),
        keys: [writeVerifier(VERIFIER)]
      }
      child.stdin.write(`${JSON.stringify(asked)}\n`)
      const { value } = await answers.next()
      const { faults, good } = JSON.parse(String(value)) as { faults: string[]; good: number }
      return faults.length > 0 ? faults : good > 0 ? [] : ['NOT PROVED']
    },
    stop: () => child.stdin.end()
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T

/** What was done to a log, and by what a fault that names the place begins or contains. */
interface Tampering {
  readonly kind: string
  readonly bytes: Buffer | string
  readonly notes: Notes
  readonly places: readonly string[]
}

const fileOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Changes of the export alone, which leave hashes as they were. */
function changeLines(random: Random, { lines, names, notes }: BuiltLog): Tampering {
  const at = random(lines.length)
  const changed = [...lines]
  // The first line says whose log it is: checkpoints of another one are told of.
  const places = [
    ...(names[at] ?? []),
    ...(at === 0 ? ['checkpoint-'] : []),
    `line ${at + 1}:`,
    `line ${at + 2}:`,
    `line ${lines.length}:`
  ]
  const kind = pick(random, ['left out', 'twice', 'moved', 'cut off', 'a bit', 'a digit', 'a letter'])
  if (kind === 'left out') {
    changed.splice(at, 1)
    // Entries whose commit is gone stand under the one before it.
    places.push(...(names[at - 1] ?? []), ...(names[at + 1] ?? []))
  } else if (kind === 'twice') changed.splice(at, 0, lines[at] ?? '')
  else if (kind === 'moved') {
    const to = random(lines.length - 1)
    changed.splice(to, 0, ...changed.splice(at, 1))
    places.push(
      ...(names[to] ?? []),
      ...(names[to + 1] ?? []),
      ...(names[at + 1] ?? []),
      `line ${to + 1}:`,
      `line ${to + 2}:`
    )
  } else if (kind === 'cut off') {
    changed.length = at
    places.push(...names.slice(at).flat(), `line ${at + 1}:`)
  } else if (kind === 'a bit') {
    const bytes = Buffer.from(fileOf(lines))
    const before = Buffer.byteLength(fileOf(lines.slice(0, at))) - (at === 0 ? 1 : 0)
    const place = before + random(Buffer.byteLength(lines[at] ?? ''))
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random(7))
    return { kind, bytes, notes, places: [...places, ...(names[at + 1] ?? [])] }
  } else {
    const wanted = kind === 'a digit' ? /\d/g : /[a-z]/g
    const found = [...(lines[at] ?? '').matchAll(wanted)]
    const { index } = pick(random, found)
    const line = lines[at] ?? ''
    const other =
      kind === 'a digit' ? String((Number(line[index]) + 1 + random(9)) % 10) : line[index] === 'x' ? 'y' : 'x'
    changed[at] = line.slice(0, index) + other + line.slice(index + 1)
    places.push(changed[at]?.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?.[0] ?? `line ${at + 1}:`)
  }
  return { kind, bytes: fileOf(changed), notes, places }
}

/** Facts changed and everything that follows from them computed anew, but for the signatures: only checkpoints tell. */
function forge(random: Random, model: LogModel, { notes }: BuiltLog): Tampering {
  const forged = structuredClone(model)
  const at = random(forged.commits.length)
  const commit = forged.commits[at] as LogModel['commits'][number]
  const entry = pick(random, commit.entries)
  const kind = pick(random, ['actor', 'reason', 'time', 'content', 'committed', 'downloaded', 'added', 'detail'])
  if (kind === 'actor') entry.actor = `key:${hexOf(random, 9)}`
  else if (kind === 'reason') entry.reasons = [...entry.reasons, 'DUPLICATE_RECORD']
  else if (kind === 'time') entry.transitions = entry.transitions.map(([state]) => [state, timeOf(random)])
  else if (kind === 'content') entry.content = hexOf(random, 64)
  else if (kind === 'committed') commit.at = `${commit.at.slice(0, 20)}000000Z`
  else if (kind === 'detail') entry.detail = { ...entry.detail, version: 9 }
  else if (kind === 'added') {
    const more = { ...entry, subject: entry.subject.replace(/.{4}$/, hexOf(random, 4)), kind: 'record' as const }
    commit.entries = [...commit.entries, more]
  } else {
    const last = commit.entries.at(-1)
    if (last) last.transitions = [...last.transitions, ['downloaded', timeOf(random)]]
  }
  const size = model.signedAt.find(size => size > at)
  return {
    kind: `forged ${kind}`,
    bytes: fileOf(buildLog(forged, [KEY]).lines),
    notes,
    places: [`checkpoint ${size}:`]
  }
}

/** Checkpoints changed, or signed by somebody else. */
function forgeNotes(random: Random, model: LogModel, { lines, notes }: BuiltLog): Tampering {
  const at = random(notes.length)
  const note = notes[at] as Notes[number]
  const kind = pick(random, ['note', 'signature', 'stranger'])
  const end = note.text.indexOf('\n\n') + 2
  const place = kind === 'note' ? random(end - 2) : end + '— docket/53033 '.length + 8 + random(70)
  const stranger = buildLog(model, [STRANGER]).notes[at]?.text ?? ''
  const other = note.text[place] === 'B' ? 'C' : 'B'
  const text = kind === 'stranger' ? stranger : note.text.slice(0, place) + other + note.text.slice(place + 1)
  const changed = notes.map((one, i) => (i === at ? { ...one, text } : one))
  return { kind: `checkpoint: ${kind}`, bytes: fileOf(lines), notes: changed, places: [note.name] }
}

t.test(`${CLEAN_LOGS} clean logs and ${TAMPERINGS} that were tampered with`, { timeout: 7_200_000 }, async t => {
  t.comment(`seed ${SEED}`)
  const random = seeded(SEED)
  const path = join(t.testdir(), 'export.ndjson')
  const python = startPython()
  t.teardown(() => python.stop())
  const judges = { own, python: python.judge }
  const count: Record<string, number> = {}
  const misses: string[] = []
  const look = async (name: keyof typeof judges, notes: Notes) => judges[name](path, notes)

  for (let round = 0; round < CLEAN_LOGS; round += 1) {
    const { lines, notes } = buildLog(randomLog(random), [KEY])
    await writeFile(path, fileOf(lines))
    for (const name of ['own', 'python'] as const) {
      const faults = await look(name, notes)
      if (faults.length > 0) misses.push(`false alarm, clean log ${round}, ${name}: ${faults[0]}`)
    }
  }
  t.same(misses, [], 'no false alarm')

  for (let round = 0; round < TAMPERINGS; round += 1) {
    const model = randomLog(random)
    const clean = buildLog(model, [KEY])
    const way = pick(random, [
      changeLines,
      changeLines,
      (r: Random, log: BuiltLog) => forge(r, model, log),
      (r: Random, log: BuiltLog) => forgeNotes(r, model, log)
    ])
    const { kind, bytes, notes, places } = way(random, clean)
    if (String(bytes) === fileOf(clean.lines) && notes === clean.notes) continue
    await writeFile(path, bytes)
    count[kind] = (count[kind] ?? 0) + 1
    for (const name of ['own', 'python'] as const) {
      const faults = await look(name, notes)
      if (faults.length === 0) misses.push(`not found, ${kind}, round ${round}, ${name}`)
      else if (!faults.some(fault => places.some(place => fault.includes(place)))) {
        misses.push(`not located, ${kind}, round ${round}, ${name}: ${faults[0]} not at ${places.join(' ')}`)
      }
    }
  }
  t.comment(`tampered with: ${JSON.stringify(count)}`)
  t.same(misses, [], 'each is found and located by both')
  t.ok(Object.keys(count).length >= Math.min(15, TAMPERINGS / 10))
})
