import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { type Test, test } from 'tap'
import { startEmbeddedPostgres } from '../../src/cli/embedded-postgres.ts'
import { processName } from '../../src/cli/postgres/claim-file.ts'
import { AppError } from '../../src/errors.ts'

const MODULE = fileURLToPath(new URL('../../src/cli/embedded-postgres.ts', import.meta.url))

/** mkdtemp makes 0700, which the account Postgres runs as under root cannot pass; `mode` decides. */
function freshFolder(t: Test, mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-embedded-'))
  chmodSync(folder, mode)
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

async function ask(url: string, sql: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, string>>(sql)
    return rows.flatMap(row => Object.values(row))
  } finally {
    await client.end()
  }
}

const log = (): void => undefined

test('the embedded database keeps its data over a stop, a killed parent and a killed server', async t => {
  const dataDir = freshFolder(t, 0o711)

  const first = await startEmbeddedPostgres({ dataDir, persistent: true, log })
  t.match(first.url, /^postgres:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\/postgres$/)
  t.equal(statSync(join(dataDir, 'postgres-password')).mode & 0o777, 0o600, 'the password is for its owner alone')
  t.strictSame(
    await ask(
      first.url,
      `select setting from pg_settings where name in ('fsync', 'full_page_writes', 'listen_addresses',
        'log_error_verbosity', 'log_min_error_statement', 'log_parameter_max_length_on_error', 'log_statement',
        'synchronous_commit', 'unix_socket_directories') order by name`
    ),
    ['on', 'on', '127.0.0.1', 'terse', 'panic', '0', 'none', 'on', '']
  )
  t.strictSame(await ask(first.url, 'show data_checksums'), ['on'])
  await ask(first.url, `create table kept as select 'here' as word`)
  await t.rejects(startEmbeddedPostgres({ dataDir, persistent: true, log }), {
    code: 'CONFIG_INVALID',
    message: /Another docket \(process \d+\)/
  })
  await first.stop()
  await first.stop()
  t.equal(await first.exited, 'exit code 0')

  const orphan = await startAndDie(dataDir)
  t.ok(processName(orphan), 'the server outlives its killed parent')
  const messages: string[] = []
  const second = await startEmbeddedPostgres({ dataDir, persistent: true, log: line => messages.push(line) })
  t.match(messages, [new RegExp(`ending the database server ${orphan}`)])
  t.notOk(processName(orphan), 'it was ended before the next start')
  t.strictSame(await ask(second.url, 'select word from kept'), ['here'])

  process.kill(second.pid, 'SIGKILL')
  t.equal(await second.exited, 'signal SIGKILL')
  await second.stop()
  const third = await startEmbeddedPostgres({ dataDir, persistent: true, log, port: second.port })
  t.equal(third.url, second.url, 'a restart keeps the address')
  t.strictSame(await ask(third.url, 'select word from kept'), ['here'])
  await third.stop()

  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n`)
  const fourth = await startEmbeddedPostgres({ dataDir, persistent: false, log })
  t.strictSame(await ask(fourth.url, 'show fsync'), ['off'])
  await fourth.stop()
  t.throws(() => statSync(dataDir), { code: 'ENOENT' }, 'data that need not persist are gone')
})

test('what a server logs about a failing statement holds no value', async t => {
  const dataDir = freshFolder(t, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, persistent: true, log })
  t.teardown(() => server.stop())
  await ask(server.url, 'create table person (id int primary key, name text)')
  await ask(server.url, `insert into person values (1, 'canary-7261')`)
  await t.rejects(ask(server.url, `insert into person values (1, 'canary-7261')`))
  const written = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  t.match(written, /duplicate key/, 'the failure itself is logged')
  t.notMatch(written, /canary-7261/)
})

test('a folder the account of the database cannot enter is named with the ways out', async t => {
  const dataDir = freshFolder(t, 0o700)
  if (process.getuid?.() !== 0) {
    const server = await startEmbeddedPostgres({ dataDir, persistent: false, log })
    t.ok(server.pid > 0, 'an ordinary user runs the database itself')
    await server.stop()
    return
  }
  const error = await startEmbeddedPostgres({ dataDir, persistent: true, log }).catch((fault: unknown) => fault)
  t.ok(error instanceof AppError)
  t.match(error, { code: 'CONFIG_INVALID' })
  for (const way of [join(dataDir, '..'), 'DOCKET_DATA', 'chmod o+x', 'ordinary user', 'DATABASE_URL'])
    t.ok(error instanceof AppError && error.message.includes(way), way)
})

async function startAndDie(dataDir: string): Promise<number> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
    const server = await startEmbeddedPostgres({ dataDir: process.argv[1], persistent: true, log() {} })
    process.stdout.write(String(server.pid), () => process.kill(process.pid, 'SIGKILL'))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString('utf8')
  })
  await once(child, 'close')
  return Number(output)
}
