import { createHash } from 'node:crypto'
import { Pool } from 'pg'
import { errorFields, type Logger } from '../logger.ts'

/** More distinct texts than pg-boss has; past it statements go unnamed instead of filling the server's memory. */
const MAX_NAMES = 200
const names = new Map<string, string>()

/**
 * The name under which a statement of pg-boss is prepared, once per connection; undefined for what cannot be: a text
 * without values may hold several statements.
 */
export function statementName(text: string, values: readonly unknown[] | undefined): string | undefined {
  if (!values || values.length === 0 || text.includes(';')) return undefined
  const known = names.get(text)
  if (known || names.size >= MAX_NAMES) return known
  const name = `boss-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return name
}

export interface QueueDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: never[] }>
  close(): Promise<void>
}

/**
 * pg-boss's own small pool, with every parametrized statement prepared once per connection: parsing and planning each
 * call anew is most of what its small statements cost.
 */
export function createQueueDatabase(url: string, applicationName: string, logger: Logger): QueueDatabase {
  const pool = new Pool({
    connectionString: url,
    application_name: applicationName,
    max: 4,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    keepAlive: true
  })
  pool.on('error', error => logger.warn(errorFields(error), 'queue connection lost'))
  return {
    async executeSql(text, values) {
      const name = statementName(text, values)
      const query = { text, ...(values ? { values } : {}), ...(name ? { name } : {}) }
      return (await pool.query(query)) as unknown as { rows: never[] }
    },
    close: () => pool.end()
  }
}
