import { setTimeout as delay } from 'node:timers/promises'
import { createPool } from '../../db/pool.ts'
import { AppError } from '../../errors.ts'

/** A server that has just come up may still be taking its first connections. */
const PAUSE_MS = 250
/** A server that is frozen takes a connection and says nothing. */
const ANSWER_MS = 5000

/** SQLSTATEs that another try does not change: somebody has to mend the folder. */
const LASTING: Readonly<Record<string, string>> = {
  '28P01': 'its password is not the one in postgres-password. Put back the file that belongs to this folder',
  '28000': 'its pg_hba.conf refuses connections from this machine. Put back its lines for 127.0.0.1',
  '3D000': 'its database postgres is gone. Make it again, or restore the folder from a backup'
}

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'no answer'
}

/** Logs in once; answers the code of what went wrong, or undefined when it could. */
export async function tryLogIn(url: string): Promise<string | undefined> {
  const pool = createPool({
    url,
    max: 1,
    applicationName: 'docket-start',
    waitMs: ANSWER_MS,
    onError: () => undefined
  })
  try {
    await pool.query('select 1')
    return undefined
  } catch (error) {
    return codeOf(error)
  } finally {
    await pool.end()
  }
}

/** What is wrong with a server that runs and lets nobody log in, and what to do. */
export function refusalOf(code: string, dataDir: string): AppError {
  const why = LASTING[code] ?? 'postgres.log there says why'
  return new AppError(
    code in LASTING ? 'CONFIG_INVALID' : 'DATABASE_UNAVAILABLE',
    `The embedded database in ${dataDir} runs but lets nobody log in (${code}): ${why}.`,
    { details: { sqlstate: code } }
  )
}

/**
 * Waits until one can log in. Throws CONFIG_INVALID, with what to do, at once for what no waiting changes; after `limitMs`
 * DATABASE_UNAVAILABLE.
 */
export async function waitForLogIn(url: string, dataDir: string, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs
  for (;;) {
    const code = await tryLogIn(url)
    if (code === undefined) return
    if (code in LASTING || Date.now() > end) throw refusalOf(code, dataDir)
    await delay(PAUSE_MS)
  }
}
