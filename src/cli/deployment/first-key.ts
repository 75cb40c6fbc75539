import { createKey, listKeys } from '../../api/keys.ts'
import type { Config } from '../../config.ts'
import { withPool } from './database.ts'

/** An administrator key made because there was none at all and none is configured; undefined otherwise. */
export async function firstKey(url: string, config: Config): Promise<string | undefined> {
  if (config.bootstrapKey !== undefined) return undefined
  return withPool(url, async pool => {
    if ((await listKeys(pool)).length > 0) return undefined
    const { token } = await createKey(pool, { name: 'first administrator', scopes: ['admin'], jurisdictions: ['*'] })
    return token
  })
}
