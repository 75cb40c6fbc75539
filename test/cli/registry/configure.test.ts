import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { main } from '../../../src/cli/main.ts'
import { testDatabase } from '../../helpers/database.ts'

const PARCEL = {
  source: {
    adapter: 'socrata',
    url: 'https://data.example.org',
    dataset: 'abcd-1234',
    key: { from: 'pin' },
    fields: { zoningCode: 'zone' }
  },
  secret: 'app-token'
}

async function configurer(t: Test) {
  const { pool, url } = await testDatabase(t)
  const folder = await mkdtemp(join(tmpdir(), 'docket-configure-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'secrets', '17031'), { recursive: true })
  await writeFile(join(folder, 'secrets', '17031', 'app-token'), 'very-secret-token\n')
  const run = async (...args: string[]): Promise<{ status: number; out: string; err: string }> => {
    const out: string[] = []
    const err: string[] = []
    const env = { DATABASE_URL: url, DOCKET_SECRETS: join(folder, 'secrets') }
    const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env }
    const status = await main(['registry', ...args], io)
    return { status, out: out.join('\n'), err: err.join('\n') }
  }
  return {
    pool,
    run,
    async configure(content: unknown, ...args: string[]) {
      const path = join(folder, 'file.json')
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
      return run('configure', path, ...args)
    }
  }
}

const changeOf = (out: string): string[] =>
  [...out.matchAll(/^(parcel|zoning|property) +(\w+) +(\d+)/gm)].map(([, kind, change, n]) => `${kind} ${change} ${n}`)

t.test('what a kind asks is versioned; a file changes the kinds it names and no others', async t => {
  const c = await configurer(t)
  const both = { jurisdiction: '17031', registries: { parcel: PARCEL, zoning: { source: { adapter: 'table' } } } }
  const dry = await c.configure(both, '--dry-run')
  t.same(changeOf(dry.out), ['parcel new 1', 'zoning new 1'])
  t.equal((await c.pool.query('select 1 from registry_source')).rowCount, 0, 'a dry run writes nothing')
  t.same(changeOf((await c.configure(both)).out), ['parcel new 1', 'zoning new 1'])
  t.same(changeOf((await c.configure(both)).out), ['parcel unchanged 1', 'zoning unchanged 1'])
  const slower = { jurisdiction: '17031', registries: { parcel: { ...PARCEL, concurrency: 1 } } }
  t.same(changeOf((await c.configure(slower)).out), ['parcel changed 2'])
  t.same(changeOf((await c.configure({ jurisdiction: '17031', registries: { parcel: null } })).out), ['parcel ended 3'])
  const { rows } = await c.pool.query(`select kind, version from registry_source order by 1, 2`)
  t.same(
    rows.map(row => `${row.kind} ${row.version}`),
    ['parcel 1', 'parcel 2', 'parcel 3', 'zoning 1']
  )
  const stored = JSON.stringify((await c.pool.query('select settings from registry_source')).rows)
  t.notMatch(stored, 'very-secret-token')
})

t.test('a file that cannot work is refused whole, with every fault and no value', async t => {
  const c = await configurer(t)
  const wrong: [string, unknown, RegExp][] = [
    ['no JSON', '{', /not valid JSON/],
    ['an unknown kind', { jurisdiction: '17031', registries: { colour: null } }, /registries/],
    [
      'a slip of the pen',
      { jurisdiction: '17031', registries: { parcel: { ...PARCEL, ttl: 5 } } },
      /registries\.parcel.*ttl/s
    ],
    [
      'a secret in the file',
      { jurisdiction: '17031', registries: { parcel: { ...PARCEL, secret: '../other/x' } } },
      /secret: is the name of a file/
    ],
    [
      'a secret of another jurisdiction',
      { jurisdiction: '17032', registries: { parcel: PARCEL } },
      /no secret app-token.*17032\/app-token/s
    ],
    [
      'plain HTTP',
      {
        jurisdiction: '17031',
        registries: {
          parcel: { ...PARCEL, source: { ...PARCEL.source, url: 'http://data.example.org' } }
        }
      },
      /registries\.parcel/
    ],
    ['no jurisdiction', { jurisdiction: 'Cook County', registries: {} }, /jurisdiction/]
  ]
  for (const [name, content, told] of wrong) {
    const { status, err } = await c.configure(content)
    t.equal(status, 1, name)
    t.match(err, told, name)
    t.notMatch(err, 'very-secret-token')
  }
  t.equal((await c.pool.query('select 1 from registry_source')).rowCount, 0)
  t.equal((await c.run('configure')).status, 2)
  t.equal((await c.run('colour')).status, 2)
})

t.test('status tells how each registry fares, and by its exit status whether somebody must act', async t => {
  const c = await configurer(t)
  await c.configure({ jurisdiction: '17031', registries: { parcel: PARCEL } })
  t.match(await c.run('status'), { status: 0, out: /17031 +parcel +socrata +1 +0 +asked/ })
  await c.pool.query(`insert into registry_breaker (jurisdiction, kind, state, failures, openings, fault_kind, code, opened_at, retry_at)
    values ('17031', 'parcel', 'open', 1, 1, 'configuration', 'http_401', now(), now() + interval '5 min')`)
  await c.pool.query(`insert into registry_alert (jurisdiction, kind, code) values ('17031', 'parcel', 'http_401')`)
  t.match(await c.run('status', '--jurisdiction', '17031'), {
    status: 1,
    out: /not asked: http_401.*http_401 since 20/
  })
  t.match(await c.run('status', '--jurisdiction', '53033'), { status: 0 })
})
