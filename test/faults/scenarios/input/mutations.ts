import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../../harness/random.ts'

const SAMPLES = join(import.meta.dirname, '../../../../samples')

export interface Seed {
  readonly path: string
  readonly profile: 'permit' | 'policy' | 'lease'
  /** Reading it takes a process of its own and a second. */
  readonly isDocument: boolean
}

const SEEDS: readonly Seed[] = [
  { path: 'permits/king-blds.csv', profile: 'permit', isDocument: false },
  { path: 'permits/cook-city.csv', profile: 'permit', isDocument: false },
  { path: 'permits/los-angeles-semicolon.csv', profile: 'permit', isDocument: false },
  { path: 'permits/los-angeles.json', profile: 'permit', isDocument: false },
  { path: 'permits/wake-portal.ndjson', profile: 'permit', isDocument: false },
  { path: 'permits/king-desk.xlsx', profile: 'permit', isDocument: false },
  { path: 'policies/auto-unusual-order.pdf', profile: 'policy', isDocument: true },
  { path: 'policies/homeowners-labels-at-left.pdf', profile: 'policy', isDocument: true },
  { path: 'leases/saltmarsh-lease.docx', profile: 'lease', isDocument: true },
  { path: 'leases/alder-court-summary.pdf', profile: 'lease', isDocument: true }
]

/** Pieces that mean something to one reader or another. */
const WORDS = [
  '"', '""', '\n', '\r\n', '\0', ',', ';', '\t', '{', '}', '[', ']', '\\u0000', '\\ud800', '1e400', '999999999999999999999',
  '0000-00-00', '\xef\xbb\xbf', '\xff\xfe', '__proto__', 'endobj', 'stream', 'endstream', '/Length 99999999', 'xref',
  '%%EOF', 'PK\x03\x04', 'PK\x05\x06', '<!ENTITY x "y">', '../../etc/passwd'
] // biome-ignore format: a list

/** Flips, drops, doubles, splices or cuts somewhere, once or a few times. */
export function mutated(chance: Chance, bytes: Buffer, other: Buffer): Buffer {
  let now = bytes
  for (let times = chance.between(1, 4); times > 0; times -= 1) {
    const at = chance.below(now.length + 1)
    const [head, tail] = [now.subarray(0, at), now.subarray(at)]
    const from = chance.below(other.length + 1)
    const kinds = [
      () => Buffer.concat([head, Buffer.from([chance.below(256)]), tail.subarray(1)]),
      () => Buffer.concat([head, tail.subarray(chance.below(64))]),
      () => Buffer.concat([head, Buffer.from(chance.pick(WORDS), 'latin1'), tail]),
      () => Buffer.concat([head, other.subarray(from, from + chance.below(200)), tail]),
      () => Buffer.concat([head, now.subarray(Math.max(0, at - chance.below(200)), at), tail]),
      () => head
    ]
    now = chance.pick(kinds)()
  }
  return now
}

/** A file of one of the seeds, mutated; most are of rows, since those are read at once. */
export function mutatedFile(chance: Chance, documents: boolean): Seed & { readonly bytes: Buffer } {
  const seed = chance.pick(SEEDS.filter(({ isDocument }) => isDocument === documents))
  const other = readFileSync(join(SAMPLES, chance.pick(SEEDS).path))
  return { ...seed, bytes: mutated(chance, readFileSync(join(SAMPLES, seed.path)), other) }
}

const SPLICES = [
  '--X',
  '\r\n--X--\r\n',
  '\r\n',
  '\n',
  '\0',
  '"',
  ';',
  'filename*=',
  'name="file"',
  '\r\n\r\n',
  'Content-Type:'
]

/** A multipart body whose framing is hurt at random; bytes stand for themselves, as latin1. */
export function mutatedBody(chance: Chance, whole: string): string {
  let body = whole
  for (let times = chance.between(1, 3); times > 0; times -= 1) {
    const at = chance.below(body.length)
    const length = chance.below(12)
    const kinds = [
      () => body.slice(0, at) + String.fromCharCode(chance.below(256)) + body.slice(at + 1),
      () => body.slice(0, at) + body.slice(at + length),
      () => body.slice(0, at + length) + body.slice(at),
      () => body.slice(0, at) + chance.pick(SPLICES) + body.slice(at),
      () => body.slice(0, at)
    ]
    body = chance.pick(kinds)()
  }
  return body
}
