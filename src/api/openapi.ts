import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { createLogger } from '../logger.ts'
import { buildApp } from './app.ts'
import { type ApiDeps, serverLimits } from './deps.ts'

/** Where the checked-in description stands. */
export const OPENAPI_FILE = join(import.meta.dirname, '../../openapi.yaml')

const HEADER = '# Made from the route schemas by `node src/api/openapi.ts --write`; do not edit.\n'

/** Dependencies that routes only keep: nothing of them is asked while the description is made. */
function silentDeps(): ApiDeps {
  const limits = { fileBytes: 1, requestBytes: 1, parts: 1 }
  return {
    pools: [],
    logger: createLogger({ component: 'openapi', level: 'silent' }),
    nowMs: () => 0,
    newId: () => '',
    limits: serverLimits(limits.requestBytes),
    intake: { limits },
    profiles: new Map(),
    isDraining: () => false
  } as unknown as ApiDeps
}

/** The API's description as YAML, the same at every run. */
export async function openApiText(): Promise<string> {
  const app = await buildApp(silentDeps())
  try {
    return HEADER + stringify(app.swagger(), { aliasDuplicateObjects: false, lineWidth: 0 })
  } finally {
    await app.close()
  }
}

/** True when the checked-in description is the one the routes make. */
export async function isOpenApiCurrent(): Promise<boolean> {
  return (await readFile(OPENAPI_FILE, 'utf8').catch(() => '')) === (await openApiText())
}

/** `--write` renews the checked-in description, `--check` exits 1 when it is not current. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, write: { type: 'boolean' } } })
  if (values.write) await writeFile(OPENAPI_FILE, await openApiText())
  else if (await isOpenApiCurrent()) process.stdout.write('openapi.yaml is current\n')
  else {
    process.stderr.write('openapi.yaml is not what the routes make: run node src/api/openapi.ts --write\n')
    process.exitCode = 1
  }
}

if (import.meta.main) await main()
