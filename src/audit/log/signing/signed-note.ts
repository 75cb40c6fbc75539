import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

/** Algorithm byte of Ed25519 in C2SP signed-note. */
const ED25519 = 1
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
/** Longest note that is read, in characters: a checkpoint with dozens of signatures. */
const MAX_NOTE = 100_000

/** A public key under the name it signs as. */
export interface VerifierKey {
  readonly name: string
  readonly id: Buffer
  readonly key: KeyObject
}

export interface Signature {
  readonly name: string
  readonly id: Buffer
  readonly signature: Buffer
}

/** What a checkpoint says: C2SP tlog-checkpoint. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

/** The 32 bytes of an Ed25519 public key. */
function rawKey(key: KeyObject): Buffer {
  const { x } = key.export({ format: 'jwk' })
  return Buffer.from(x ?? '', 'base64url')
}

const keyMaterial = (key: KeyObject): Buffer => Buffer.concat([Buffer.of(ED25519), rawKey(key)])

/** First four bytes of SHA-256 over name, line feed, algorithm and key. */
const keyId = (name: string, key: KeyObject): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), keyMaterial(key)]), 'buffer').subarray(0, 4)

/** A public or private Ed25519 key as the verifier of a name. */
export function verifierOf(name: string, key: KeyObject): VerifierKey {
  const open = key.type === 'private' ? createPublicKey(key) : key
  return { name, id: keyId(name, open), key: open }
}

/** The text of a verifier key: `name+id in hex+base64 of algorithm and key`. */
export const writeVerifier = ({ name, id, key }: VerifierKey): string =>
  `${name}+${id.toString('hex')}+${keyMaterial(key).toString('base64')}`

/** Reads the text of a verifier key; undefined when it is none, or its id is not that of its name and key. */
export function readVerifier(text: string): VerifierKey | undefined {
  const [name = '', id = '', material = '', ...more] = splitVerifier(text.trim())
  const bytes = Buffer.from(material, 'base64')
  if (name === '' || more.length > 0 || bytes[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES) return undefined
  if (bytes.toString('base64') !== material) return undefined
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') },
    format: 'jwk'
  })
  const verifier = verifierOf(name, key)
  return verifier.id.toString('hex') === id ? verifier : undefined
}

/** Base64 may hold plus signs, so only the first two part the text. */
function splitVerifier(text: string): string[] {
  const first = text.indexOf('+')
  const second = text.indexOf('+', first + 1)
  return first < 1 || second < 0 ? [] : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)]
}

/** The text of a checkpoint that is signed, with its last line feed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** A signed note: the text, an empty line, and one line for each private key. */
export function signNote(text: string, name: string, keys: readonly KeyObject[]): string {
  const lines = keys.map(key => {
    const signature = sign(null, Buffer.from(text), key)
    return `— ${name} ${Buffer.concat([verifierOf(name, key).id, signature]).toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

function readSignature(line: string): Signature | undefined {
  const [dash, name = '', encoded = '', ...more] = line.split(' ')
  if (dash !== '—' || name === '' || more.length > 0) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length < 5 || bytes.toString('base64') !== encoded) return undefined
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) }
}

/** Parts a signed note; undefined when it is none. Who signed is not checked. */
export function readNote(note: string): { text: string; signatures: Signature[] } | undefined {
  const end = note.lastIndexOf('\n\n')
  if (note.length > MAX_NOTE || end < 0 || !note.endsWith('\n') || !note.isWellFormed()) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(readSignature)
  if (!signatures.every(one => one !== undefined)) return undefined
  return { text: note.slice(0, end + 1), signatures }
}

/** Reads the text of a checkpoint; undefined when it is none. Further lines are allowed, as C2SP says, and not read. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', count = '', encoded = '', ...more] = text.split('\n')
  if (origin === '' || more.length === 0 || more.at(-1) !== '') return undefined
  if (!/^(?:0|[1-9]\d{0,15})$/.test(count) || !Number.isSafeInteger(Number(count))) return undefined
  const root = Buffer.from(encoded, 'base64')
  if (root.length !== KEY_BYTES || root.toString('base64') !== encoded) return undefined
  return { origin, size: Number(count), root }
}

/**
 * What the signatures of a note are worth: `valid` when one of the keys signed it, `invalid` when a signature names one
 * of them and is not its own, `unknown` when none names any.
 */
export function judgeSignatures(note: string, keys: readonly VerifierKey[]): 'valid' | 'invalid' | 'unknown' {
  const parts = readNote(note)
  if (!parts) return 'invalid'
  const text = Buffer.from(parts.text)
  let known = 0
  for (const { name, id, signature } of parts.signatures) {
    const verifier = keys.find(key => key.name === name && key.id.equals(id))
    if (!verifier) continue
    known += 1
    if (signature.length !== SIGNATURE_BYTES || !verify(null, text, verifier.key, signature)) return 'invalid'
  }
  return known > 0 ? 'valid' : 'unknown'
}
