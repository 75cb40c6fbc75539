import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { RegistryFault } from '../../registry.ts'
import { faultOfAbort, faultOfStatus } from '../client/faults.ts'
import type { HttpClient } from '../client/guarded-client.ts'
import { isObject } from '../mapping/pointer.ts'
import type { ArcgisSettings } from './settings.ts'

/** The tokens of one registry. */
export interface Tokens {
  /** Undefined when the registry asks for none. Throws `RegistryFault`. */
  get(signal: AbortSignal): Promise<string | undefined>
  /** Whether another one can be had in place of one that was refused; it is got by the next `get`. */
  drop(token: string | undefined): boolean
}

const Login = z.strictObject({ username: z.string().min(1).max(200), password: z.string().min(1).max(500) })
type Login = z.infer<typeof Login>

/** Minutes a token is asked for, and how long before its end another is got. */
const LIFE_MINUTES = 60
const EARLY_MS = 60_000
/** Getting one serves all who wait, so it does not end with the one who began it. */
const GET_MS = 10_000

interface TokenDeps {
  readonly http: HttpClient
  readonly now: () => number
}

interface Token {
  readonly text: string
  readonly until: number
}

function readLogin(secret: string): Login {
  try {
    return Login.parse(JSON.parse(secret))
  } catch {
    // Neither the secret nor what is wrong with it is told: both would show parts of it.
    throw new AppError('CONFIG_INVALID', 'The secret for generateToken must be JSON: {"username":…,"password":…}.')
  }
}

async function generate(url: string, login: Login, { http, now }: TokenDeps, signal: AbortSignal): Promise<Token> {
  const form = new URLSearchParams({ ...login, client: 'requestip', expiration: String(LIFE_MINUTES), f: 'json' })
  const { status, body, retryAfterMs } = await http.send({
    method: 'POST',
    url: new URL(url),
    body: { type: 'application/x-www-form-urlencoded', text: form.toString() },
    signal
  })
  if (isObject(body) && isObject(body['error'])) throw new RegistryFault('configuration', 'token_refused')
  if (status !== 200) throw faultOfStatus(status, retryAfterMs)
  if (!isObject(body) || typeof body['token'] !== 'string') throw new RegistryFault('transient', 'no_token')
  const { token, expires } = body
  const until = typeof expires === 'number' ? expires : now() + LIFE_MINUTES * 60_000
  return { text: token, until: until - EARLY_MS }
}

/** What `work` gives, unless the signal ends the waiting for it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(faultOfAbort(signal))
  signal.addEventListener('abort', abort, { once: true })
  try {
    if (signal.aborted) throw faultOfAbort(signal)
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The secret itself as token, or tokens got for the name and password in it; one at a time, kept until shortly before their end. */
export function createTokens(
  auth: ArcgisSettings['auth'],
  deps: TokenDeps & { readonly secret: string | undefined }
): Tokens {
  const { secret, now } = deps
  if (auth === undefined) return { get: async () => undefined, drop: () => false }
  if (secret === undefined) throw new AppError('CONFIG_INVALID', 'The registry asks for a token, and has no secret.')
  if (auth === 'token') return { get: async () => secret.trim(), drop: () => false }
  const login = readLogin(secret)
  let current: Token | undefined
  let coming: Promise<Token> | undefined
  const generateOne = async (): Promise<Token> => {
    try {
      current = await generate(auth.generateToken, login, deps, AbortSignal.timeout(GET_MS))
      return current
    } finally {
      coming = undefined
    }
  }
  return {
    async get(signal) {
      if (current && current.until > now()) return current.text
      if (!coming) {
        coming = generateOne()
        // Whoever waits is told; that nobody waits any longer is no fault of the process.
        coming.catch(() => undefined)
      }
      return (await untilAborted(coming, signal)).text
    },
    drop(token) {
      if (current?.text === token) current = undefined
      return true
    }
  }
}
