import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Least versions within one major; majors move by hand. */
const VERSIONS: Readonly<Record<string, string>> = {
  fastify: '5.0.0',
  '@fastify/multipart': '10.0.0',
  '@fastify/busboy': '3.2.6',
  'pg-boss': '12.38.0',
  pg: '8.0.0',
  'pdfjs-dist': '6.0.0',
  zod: '4.0.0',
  pino: '10.0.0',
  tap: '21.0.0',
  node: '24.0.0'
}

const README_COMMANDS = ['npm ci && npm run demo', 'npm ci && npm test']

// One letter of each word stands in brackets, so that this file does not find itself.
const FORBIDDEN: readonly { pattern: RegExp; allowedIn?: RegExp }[] = [
  { pattern: /\/work\/(?:mai[n]|share[d])/ },
  { pattern: /\.\.\/share[d]/, allowedIn: /^\.ci\// },
  { pattern: /\/roo[t]\// },
  { pattern: /\b(?:anthropi[c]|claud[e]|opena[i]|chatgp[t]|copilo[t])\b/i },
  // Docket's own pages stand in docs/ and are named with it.
  { pattern: /(?<!docs\/)\b(?:desig[n]|domai[n]|reliabilit[y]|performanc[e]|peer[s]|styl[e])\.md\b/ },
  { pattern: /\blanguage mode[l]|\bLL[M]s?\b/ }
]
const TEXT = /\.(?:ts|js|json|ya?ml|md|sql|txt|sh|html|css)$|^(?:\.ci|bin)\//
const NOT_OURS = /^(?:package-lock\.json|LICENSE)$|^test\/fixtures\//

function trackedFiles(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    return listed.split('\0').filter(path => path !== '' && existsSync(join(ROOT, path)))
  } catch {
    return globSync('**/*', { cwd: ROOT, exclude: ['node_modules', '.git', 'data', '.tap'] })
  }
}

function forbiddenIn(path: string, text: string): string[] {
  return FORBIDDEN.filter(rule => rule.pattern.test(text) && rule.allowedIn?.test(path) !== true).map(
    rule => `${path}: ${rule.pattern.source}`
  )
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = least.split('.').map(Number)
  if (major !== wantedMajor) return false
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch)
}

test('the lock file names versions and digests, and no place to fetch them from', t => {
  const lock = read('package-lock.json')
  t.match(lock, /"integrity": "sha512-/)
  t.notMatch(lock, /"resolved": "https?:/)
  t.end()
})

test('no file speaks of anything but Docket', t => {
  const files = trackedFiles().filter(path => TEXT.test(path) && !NOT_OURS.test(path))
  t.ok(files.length > 50, `saw ${files.length} files`)
  t.strictSame(
    files.flatMap(path => forbiddenIn(path, read(path))),
    []
  )
  const planted = ['..', 'shared', 'cases'].join('/')
  t.equal(forbiddenIn('src/x.ts', planted).length, 1, 'a planted path is found')
  t.strictSame(forbiddenIn('.ci/run', planted), [])
  t.end()
})

test('no test is skipped and no check is switched off in src', t => {
  const tests = trackedFiles().filter(path => /^test\/.*\.ts$/.test(path))
  const skipped = /\.(?:ski[p]|tod[o])\(|\bski[p]: ?(?:true|['"`])/
  t.strictSame(
    tests.filter(path => skipped.test(read(path))),
    []
  )
  const sources = trackedFiles().filter(path => /^src\/.*\.ts$/.test(path))
  const off = /@ts-(?:ignore|nocheck|expect-error)|(?:oxlint|eslint)-disable/
  t.strictSame(
    sources.filter(path => off.test(read(path))),
    []
  )
  t.end()
})

test('the installed packages are of the versions Docket is written for', t => {
  for (const [name, least] of Object.entries(VERSIONS)) {
    const { version } = JSON.parse(read(`node_modules/${name}/package.json`))
    t.ok(isAtLeast(version, least), `${name} ${version}, at least ${least} of its major`)
  }
  t.match(process.version, /^v24\./, 'and tests run on the Node of the package')
  t.notOk(isAtLeast('12.37.9', '12.38.0'))
  t.notOk(isAtLeast('13.0.0', '12.38.0'))
  t.ok(isAtLeast('12.38.1', '12.38.0'))
  t.end()
})

test('versions in package.json are exact', t => {
  const { dependencies, devDependencies, overrides } = JSON.parse(read('package.json'))
  const entries = Object.entries<string>({ ...dependencies, ...devDependencies, ...overrides })
  t.strictSame(
    entries.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
    []
  )
  t.end()
})

test('the commands the README and CONTRIBUTING name exist', t => {
  const readme = read('README.md')
  for (const command of README_COMMANDS) t.ok(readme.includes(command), command)
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...`${readme}\n${read('CONTRIBUTING.md')}`.matchAll(/npm run ([\w:-]+)/g)].map(match => match[1] ?? '')
  t.strictSame(
    named.filter(name => !(name in scripts)),
    []
  )
  t.end()
})
