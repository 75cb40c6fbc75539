import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { parse } from 'yaml'
import { STATUS_OF } from '../../src/api/http/problem.ts'
import { main } from '../../src/cli/main.ts'
import { describeConfig } from '../../src/config.ts'
import { ERROR_CODES } from '../../src/errors.ts'
import { REASONS } from '../../src/model/reasons.ts'
import { loadProfiles } from '../../src/profiles/load-profiles.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const text = async (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')

/** The README's table as the configuration itself describes it. */
function configurationTable(): string {
  const rows = describeConfig().map(({ name, fallback, meaning }) => {
    const shown = fallback === '' ? '–' : `\`${fallback}\``
    return `| \`${name}\` | ${shown} | ${meaning} |`
  })
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

/** What stands between `<!-- name … -->` and `<!-- /name -->`. */
const between = (page: string, name: 'configuration' | 'errors' | 'reasons'): string =>
  page.split(new RegExp(`<!-- /?${name}[^>]*-->`))[1]?.trim() ?? ''

test("the README's configuration table is the configuration", async t => {
  t.equal(between(await text('README.md'), 'configuration'), configurationTable())
  t.not(
    between('<!-- configuration -->\n| old |\n<!-- /configuration -->', 'configuration'),
    configurationTable(),
    'and can differ'
  )
})

test('the table of errors is the list of error codes', async t => {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { kind, retryable }]) => `| \`${code}\` | ${STATUS_OF[kind].status} | ${retryable ? 'yes' : 'no'} |`
  )
  const table = ['| code | HTTP | a retry may help |', '| --- | --- | --- |', ...rows].join('\n')
  t.equal(between(await text('docs/api.md'), 'errors'), table)
})

test('docs/reasons.md is the list of reasons', async t => {
  const rows = Object.entries(REASONS).map(
    ([code, { severity, failureClass, message }]) =>
      `| \`${code}\` | ${severity} | ${failureClass === 'transient' ? 'yes' : 'no'} | ${message} |`
  )
  const table = ['| code | severity | a repetition may help | message |', '| --- | --- | --- | --- |', ...rows].join(
    '\n'
  )
  t.equal(between(await text('docs/reasons.md'), 'reasons'), table)
})

/** `GET /v1/batches/{id}` for each route of the API document, which is generated from the routes and diffed. */
async function declaredRoutes(): Promise<string[]> {
  const { paths } = parse(await text('openapi.yaml')) as { paths: Record<string, Record<string, unknown>> }
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(name => methods.includes(name))
      .map(method => `${method.toUpperCase()} ${path}`)
  )
}

test('docs/api.md has every route, and none that is not there', async t => {
  const declared = new Set(await declaredRoutes())
  t.ok(declared.size > 10)
  const page = await text('docs/api.md')
  const documented = new Set(
    [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?]+)`/g)].map(([, route]) => String(route))
  )
  t.strictSame(
    [...declared].filter(route => !documented.has(route)),
    [],
    'describe these in docs/api.md'
  )
  t.strictSame(
    [...documented].filter(route => !declared.has(route)),
    [],
    'and these are not there'
  )
})

/** The fields that hold a record when they are missing, by profile; the batch itself tells the jurisdiction. */
async function requiredFields(): Promise<string[]> {
  const profiles = [...(await loadProfiles(undefined)).values()]
  return profiles.map(({ name, fields }) => {
    const needed = Object.entries(fields).filter(([field, { required }]) => required && field !== 'jurisdiction_fips')
    return `| \`${name}\` | ${needed.map(([field]) => `\`${field}\``).join(', ')} |`
  })
}

test('docs/api.md names the fields that each profile needs', async t => {
  const page = await text('docs/api.md')
  const rows = await requiredFields()
  t.equal(rows.length, 3)
  for (const row of rows) t.ok(page.includes(row), row)
})

test('docs/operations.md has every command', async t => {
  const lines: string[] = []
  t.equal(await main(['help'], { out: line => lines.push(line), err: () => undefined, env: {} }), 0)
  const named = [...lines.join('\n').matchAll(/^ {2}docket ([a-z]+)/gm)].map(([, name]) => String(name))
  const page = await text('docs/operations.md')
  const documented = [...page.matchAll(/^\| `docket ([a-z]+)` \|/gm)].map(([, name]) => String(name))
  t.ok(named.length > 5)
  t.strictSame(documented.toSorted(), named.toSorted())
})

async function deadLinks(pages: readonly string[]): Promise<string[]> {
  const dead: string[] = []
  for (const page of pages) {
    const links = (await text(page)).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)
    for (const [, link = ''] of links) {
      const found = await access(join(ROOT, dirname(page), link)).then(
        () => true,
        () => false
      )
      if (!found) dead.push(`${page} → ${link}`)
    }
  }
  return dead
}

test('links between the documents lead somewhere', async t => {
  const docs = (await readdir(join(ROOT, 'docs'))).filter(name => name.endsWith('.md'))
  t.ok(docs.length > 3)
  t.strictSame(
    await deadLinks(['README.md', 'CHANGELOG.md', 'samples/README.md', ...docs.map(name => `docs/${name}`)]),
    []
  )
})

test('every runtime dependency is explained, and nothing else is', async t => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(await text('package.json'))
  const rows = [...(await text('docs/dependencies.md')).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => String(name))
  t.strictSame(rows.toSorted(), Object.keys(dependencies).toSorted())
})
