import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { main } from '../../src/cli/main.ts'
import { testDatabase } from '../helpers/database.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/docket')

interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

async function run(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const status = await main(args, { out: line => out.push(line), err: line => err.push(line), env })
  return { status, out: out.join('\n'), err: err.join('\n') }
}

async function deployed(t: Test): Promise<Record<string, string>> {
  const { url } = await testDatabase(t)
  return { DATABASE_URL: url }
}

test('help names every command; an unknown one is not understood', async t => {
  const help = await run([], {})
  t.equal(help.status, 0)
  for (const name of ['start', 'api', 'worker', 'migrate', 'keys', 'verify', 'demo', 'openapi'])
    t.match(help.out, `docket ${name}`)
  for (const name of ['nope', 'constructor', '__proto__']) t.equal((await run([name], {})).status, 2, name)
  const wrong = await run(['migrate', '--fast'], {})
  t.equal(wrong.status, 2)
  t.match(wrong.err, /usage: docket migrate/)
})

test('--help after a command tells how it is called', async t => {
  for (const name of ['start', 'keys', 'verify'])
    t.match(await run([name, '--help'], {}), { status: 0, out: new RegExp(`^usage: docket ${name}`), err: '' })
})

test('faults of the configuration are all told at once', async t => {
  const { status, err } = await run(['migrate'], { DOCKET_PORT: 'many', DATABASE_URL: 'mysql://x' })
  t.equal(status, 1)
  t.match(err, /DOCKET_PORT/)
  t.match(err, /DATABASE_URL/)
})

test('a database that is not there is an error of one line', async t => {
  const { status, err } = await run(['migrate'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  t.equal(status, 1)
  t.match(err, /^docket: .+ \(DATABASE_UNAVAILABLE\)$/)
})

test('migrating an up to date database changes nothing', async t => {
  const { status, out } = await run(['migrate'], await deployed(t))
  t.equal(status, 0)
  t.equal(out, 'The database is up to date.')
})

test('a key is made once, listed without its secret and revoked', async t => {
  const env = await deployed(t)
  const made = await run(
    ['keys', 'create', '--name', 'Portal', '--scope', 'submit,read', '--jurisdiction', '53033', '--days', '30'],
    env
  )
  t.equal(made.status, 0)
  const [, id = '', secret = ''] = /^dkt_([a-z0-9]{12})_([\w-]{43})$/.exec(made.out) ?? []
  t.ok(id, 'the token alone is on standard output')
  const listed = await run(['keys', 'list'], env)
  t.match(listed.out, new RegExp(`${id} +Portal +submit,read +53033 .* until `))
  t.notMatch(listed.out, secret)
  t.match(await run(['keys', 'revoke', id], env), { status: 0, out: /is revoked/ })
  t.match(await run(['keys', 'list'], env), { out: /revoked \d{4}-/ })
  t.match(await run(['keys', 'revoke', id], env), { status: 1, err: /NOT_FOUND/ })
})

test('an empty database verifies; the report says what was looked at', async t => {
  const { status, out } = await run(['verify'], { ...(await deployed(t)), DOCKET_DATA: t.testdir({}) })
  t.equal(status, 0)
  t.match(out, /^Checked 0 batches, .*\nEvery check passed\.$/)
})

test('a jurisdiction without a batch is named, since it may be a slip', async t => {
  const env = { ...(await deployed(t)), DOCKET_DATA: t.testdir({}) }
  t.match(await run(['verify', '--jurisdiction', '53033'], env), { status: 2, err: /nothing .* "53033"/ })
})

test('in a folder without a deployment nothing is made, and nothing is called verified', async t => {
  const folder = t.testdir({})
  for (const args of [['verify'], ['keys', 'list'], ['keys', 'revoke', 'x']]) {
    const { status, out, err } = await run(args, { DOCKET_DATA: join(folder, 'data') })
    t.equal(status, 1)
    t.equal(out, '')
    t.match(err, /no deployment in .*DOCKET_DATA/)
  }
  t.strictSame(readdirSync(folder), [])
})

test('the description of the API is YAML on standard output', async t => {
  const { status, out } = await run(['openapi'], {})
  t.equal(status, 0)
  t.match(out, /^openapi: 3\./m)
})

test('API and worker need a database that is there', async t => {
  for (const name of ['api', 'worker']) t.match(await run([name], {}), { status: 1, err: /DATABASE_URL.*docket start/ })
})

test('a port that is taken is an error that says what to set', async t => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const env = { ...(await deployed(t)), DOCKET_PORT: port, DOCKET_DATA: t.testdir({}), DOCKET_LOG_LEVEL: 'silent' }
  const child = spawn(PROGRAM, ['api'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let err = ''
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString('utf8')
  })
  t.strictSame(await once(child, 'close'), [1, null])
  t.match(err, new RegExp(`${port}: another program .* DOCKET_PORT`))
})

test('arguments of keys that make no sense are refused before the database is asked', async t => {
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
  const wrong = [
    ['keys'],
    ['keys', 'revoke'],
    ['keys', 'list', 'x'],
    ['keys', 'revoke', 'a', 'b'],
    ['keys', 'create', '--name', 'x', '--scope', 'root', '--jurisdiction', '*'],
    ['keys', 'create', '--scope', 'read', '--jurisdiction', '*'],
    ['keys', 'create', '--name', 'x', '--scope', 'read', '--jurisdiction', '*', '--days', '1.5']
  ]
  for (const args of wrong) t.match(await run(args, nowhere), { status: 2, err: /usage: docket keys/ }, args.join(' '))
})
