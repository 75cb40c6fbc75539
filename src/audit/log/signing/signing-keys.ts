import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'
import { readVerifier, type VerifierKey, verifierOf } from './signed-note.ts'

const END = '-----END PRIVATE KEY-----'
const FILE = 'signing-key.pem'

export interface KeySettings {
  /** PKCS8 in PEM, one or several after each other, or paths of such files with commas between them. */
  readonly signingKey: string | undefined
  /** File of public keys that signed once. */
  readonly keysFile: string | undefined
  /** Holds a key of its own when none is set. */
  readonly dataFolder: string
}

function readPem(pem: string, where: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below; the cause could quote the key.
  }
  throw new AppError(
    'CONFIG_INVALID',
    `${where} is not an Ed25519 private key in PKCS8 PEM. Make one with: openssl genpkey -algorithm ed25519`
  )
}

const readPems = (text: string, where: string): KeyObject[] =>
  text
    .split(END)
    .slice(0, -1)
    .map(part => readPem(`${part.trim()}\n${END}\n`, where))

async function readKeyFile(path: string): Promise<KeyObject[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new AppError('CONFIG_INVALID', `The signing key ${path} cannot be read.`)
  })
  const keys = readPems(text, path)
  if (keys.length === 0) throw new AppError('CONFIG_INVALID', `${path} holds no private key in PKCS8 PEM.`)
  return keys
}

/** Makes the key of this deployment if there is none; whoever comes second reads the first one's. */
async function makeKeyFile(folder: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const made = join(folder, `.${FILE}.${randomUUID()}`)
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  const file = await open(made, 'wx', 0o600)
  try {
    await file.writeFile(pem)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(made, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(made, { force: true })
  }
  // What it signs is given away: a power cut must not take the key, and have another one made in its place.
  const place = await open(folder, 'r')
  try {
    await place.sync()
  } finally {
    await place.close()
  }
}

const exists = async (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT'
  )

/**
 * The private keys that sign checkpoints; all of them sign. Without a setting it is one that is made once in the data
 * folder, readable by its owner only, or none when `make` is false and there is none yet. Throws `CONFIG_INVALID`.
 */
async function loadSigningKeys(settings: KeySettings, make: boolean): Promise<KeyObject[]> {
  const { signingKey, dataFolder } = settings
  if (signingKey !== undefined) {
    if (signingKey.includes('-----BEGIN')) return readPems(signingKey, 'DOCKET_SIGNING_KEY')
    const paths = signingKey.split(',').map(path => path.trim())
    return (await Promise.all(paths.filter(path => path !== '').map(readKeyFile))).flat()
  }
  const path = join(dataFolder, FILE)
  if (make && !(await exists(path))) await makeKeyFile(dataFolder, path)
  return (await exists(path)) ? readKeyFile(path) : []
}

/** The name that a jurisdiction's checkpoints are signed as, and their first line. */
export const originOf = (origin: string, jurisdiction: string): string => `${origin}/${jurisdiction}`

/** Public keys by the lines of a file; empty lines and those that begin with # do not count. Throws `CONFIG_INVALID`. */
export function readVerifiers(text: string, where: string): VerifierKey[] {
  const lines = text.split('\n').map(line => line.trim())
  return lines
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const key = readVerifier(line)
      if (key) return key
      throw new AppError('CONFIG_INVALID', `${where} holds a line that is not a verifier key (name+id+key).`)
    })
}

/** The keys that sign, made if there are none and `make` says so, and the public ones that did. Throws `CONFIG_INVALID`. */
export async function loadKeys(
  settings: KeySettings,
  make: boolean
): Promise<{ readonly keys: KeyObject[]; readonly retired: VerifierKey[] }> {
  const { keysFile } = settings
  const text = keysFile === undefined ? '' : await readFile(keysFile, 'utf8').catch(() => undefined)
  if (text === undefined) {
    throw new AppError('CONFIG_INVALID', `DOCKET_LOG_KEYS names ${keysFile}, which cannot be read.`)
  }
  return { keys: await loadSigningKeys(settings, make), retired: readVerifiers(text, 'DOCKET_LOG_KEYS') }
}

/** The public halves of signing keys, and retired ones of a file, as verifiers for a jurisdiction. */
export const verifiersFor = (
  origin: string,
  jurisdiction: string,
  keys: readonly KeyObject[],
  retired: readonly VerifierKey[]
): VerifierKey[] => [
  ...keys.map(key => verifierOf(originOf(origin, jurisdiction), key)),
  ...retired.filter(key => key.name === originOf(origin, jurisdiction))
]
