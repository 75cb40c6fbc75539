import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { openAdapter } from '../../src/registries/configuration/open-adapter.ts'
import { ConfigurationFile } from '../../src/registries/configuration/settings.ts'
import { REGISTRY_KINDS } from '../../src/registries/registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const page = await readFile(join(ROOT, 'docs/registries.md'), 'utf8')
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as unknown)

/** Of the form that the example's `auth` needs. */
const SECRETS: Readonly<Record<string, string>> = { 'gis-login': '{"username":"clerk","password":"hush"}' }

test('the examples of docs/registries.md can be configured as they stand', async t => {
  t.ok(examples.length >= 5, `${examples.length} examples`)
  for (const example of examples) {
    const { jurisdiction, registries } = ConfigurationFile.parse(example)
    for (const kind of REGISTRY_KINDS) {
      const settings = registries[kind]
      if (!settings) continue
      const secret = settings.secret === undefined ? undefined : (SECRETS[settings.secret] ?? 'secret')
      t.equal(openAdapter({ jurisdiction, kind, settings }, secret)?.adapter.kind, kind)
    }
  }
  t.throws(() => ConfigurationFile.parse({ jurisdiction: '17031', registries: { parcel: { source: {} } } }))
})

/** Codes as they stand in the sources: made where a fault is, or named in its table. */
async function codesOfSources(): Promise<ReadonlySet<string>> {
  const codes = new Set<string>()
  for (const file of globSync('src/registries/http/**/*.ts', { cwd: ROOT })) {
    const text = await readFile(join(ROOT, file), 'utf8')
    for (const [, code = ''] of text.matchAll(
      /(?:RegistryFault\([^;]*?, |refused\(|drift\(|^ {2}E[A-Z_]+: )'([a-z][a-z_0-9]+)'/gm
    )) {
      codes.add(code)
    }
  }
  return codes
}

test('docs/registries.md tells every code of a fault', async t => {
  const codes = await codesOfSources()
  t.ok(codes.size > 25, `${codes.size} codes`)
  t.strictSame(
    [...codes].filter(code => !page.includes(`\`${code}\``)),
    []
  )
})
