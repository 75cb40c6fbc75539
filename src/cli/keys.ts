import { createKey, listKeys, revokeKey } from '../api/keys.ts'
import { loadConfig } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { SCOPES, type Scope } from '../model/states.ts'
import { type Io, readArguments, UsageError } from './command.ts'
import { checkDeployed, withDatabase } from './deployment/database.ts'
import { textTable } from './terminal/text-table.ts'

const OPTIONS = {
  name: { type: 'string' },
  scope: { type: 'string', multiple: true },
  jurisdiction: { type: 'string', multiple: true },
  days: { type: 'string' }
} as const

type Action = (pool: Pool, io: Io) => Promise<void>

/** `docket keys create|list|revoke`: API keys of the configured database. A new key is shown once. */
export async function keys(args: readonly string[], io: Io): Promise<number> {
  const action = actionOf(args)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  await withDatabase(config, io.err, pool => action(pool, io))
  return 0
}

/** Arguments are judged before the database is opened. */
function actionOf(args: readonly string[]): Action {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [verb, id, ...more] = positionals
  if (more.length > 0) throw new UsageError(`"${more[0]}" is too much.`)
  if (verb === 'list' && id === undefined) return list
  if (verb === 'revoke' && id !== undefined) return revoke(id)
  if (verb === 'create' && id === undefined) return create(values)
  throw new UsageError('Say create, list, or revoke with the id of a key.')
}

function create(values: {
  name?: string | undefined
  scope?: string[] | undefined
  jurisdiction?: string[] | undefined
  days?: string | undefined
}): Action {
  const { name, scope = [], jurisdiction = [], days } = values
  const scopes = scope.flatMap(text => text.split(',')).map(readScope)
  if (name === undefined || scopes.length === 0 || jurisdiction.length === 0)
    throw new UsageError(
      `A key needs --name, at least one --scope (${SCOPES.join(', ')}) and at least one --jurisdiction (a code, or "*" for all).`
    )
  const expiresAt = days === undefined ? {} : { expiresAt: inDays(days) }
  return async (pool, io) => {
    const { id, token } = await createKey(pool, { name, scopes, jurisdictions: jurisdiction, ...expiresAt })
    io.err(`Key ${id}, shown only now:`)
    io.out(token)
  }
}

function readScope(text: string): Scope {
  const scope = SCOPES.find(known => known === text)
  if (scope === undefined) throw new UsageError(`Scopes are ${SCOPES.join(', ')}.`)
  return scope
}

function inDays(text: string): Date {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError('--days takes a whole number from 1 to 99999.')
  return new Date(Date.now() + Number(text) * 86_400_000)
}

function revoke(id: string): Action {
  return async (pool, io) => {
    await revokeKey(pool, id)
    io.out(`Key ${id} is revoked; it is refused everywhere within seconds.`)
  }
}

const list: Action = async (pool, io) => {
  const rows = (await listKeys(pool)).map(key => [
    key.id,
    key.name,
    key.scopes.join(','),
    key.jurisdictions.join(','),
    key.createdAt.toISOString(),
    stateOf(key)
  ])
  for (const line of textTable([['id', 'name', 'scopes', 'jurisdictions', 'made', 'state'], ...rows])) io.out(line)
}

function stateOf(key: { revokedAt: Date | null; expiresAt: Date | null }): string {
  if (key.revokedAt !== null) return `revoked ${key.revokedAt.toISOString()}`
  if (key.expiresAt === null) return 'live'
  return `${key.expiresAt.getTime() <= Date.now() ? 'expired' : 'until'} ${key.expiresAt.toISOString()}`
}
