import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { main } from '../../../src/cli/main.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { testDatabase } from '../../helpers/database.ts'

interface Loader {
  readonly pool: Pool
  run(text: string, ...args: string[]): Promise<{ status: number; out: string; err: string }>
  /** Parcels as they stand, oldest first. */
  parcels(): Promise<string[]>
}

async function loader(t: Test, name = 'parcels.csv'): Promise<Loader> {
  const { pool, url } = await testDatabase(t)
  const folder = await mkdtemp(join(tmpdir(), 'docket-load-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return {
    pool,
    async run(text, ...args) {
      const path = join(folder, name)
      await writeFile(path, text)
      const [kind = 'parcel', ...rest] = args
      const out: string[] = []
      const err: string[] = []
      const status = await main(['registry', 'load', kind, path, '--jurisdiction', '17031', ...rest], {
        out: line => out.push(line),
        err: line => err.push(line),
        env: { DATABASE_URL: url }
      })
      return { status, out: out.join('\n'), err: err.join('\n') }
    },
    async parcels() {
      const { rows } = await pool.query<{ text: string }>(
        `select concat_ws(' ', parcel_id, zoning_code, site_address, effective_from, coalesce(effective_to::text, '…')) as text
         from registry_parcel where jurisdiction = '17031' order by parcel_id, effective_from`
      )
      return rows.map(row => row.text)
    }
  }
}

const counts = (out: string): Record<string, number> =>
  Object.fromEntries(
    [...out.matchAll(/^(new|changed|ended|unchanged) +(\d+)/gm)].map(([, name, n]) => [name, Number(n)])
  )

t.test('a day that is none is refused', async t => {
  const l = await loader(t)
  for (const day of ['2026-13-01', '2026-02-30', 'today', '']) {
    t.match(await l.run('PIN\n01-1\n', 'parcel', '--day', day), { status: 2, err: /--day takes a day/ }, day)
  }
  t.same(await l.parcels(), [])
})

t.test('a file becomes what is known from its day on; another tells what it changes', async t => {
  const l = await loader(t)
  const first = await l.run(
    'PIN,Zoning,Address\n01-1,R-1,1 Main St\n01-2,R-2,2 Main St\n01-3,,\n',
    'parcel',
    '--day',
    '2024-01-01'
  )
  t.match(first, { status: 0, err: '' })
  t.same(counts(first.out), { new: 3, changed: 0, ended: 0, unchanged: 0 })
  const next = 'PIN,Zoning,Address\n01-1,R-1,1 Main St\n01-2,C-1,2 Main St\n01-4,R-9,4 Main St\n'
  const dry = await l.run(next, 'parcel', '--day', '2024-07-01', '--dry-run')
  t.same(counts(dry.out), { new: 1, changed: 1, ended: 1, unchanged: 1 })
  t.match(dry.out, /dry run/)
  t.equal((await l.parcels()).length, 3, 'a dry run writes nothing')
  t.same(counts((await l.run(next, 'parcel', '--day', '2024-07-01')).out), {
    new: 1,
    changed: 1,
    ended: 1,
    unchanged: 1
  })
  const stand = [
    '01-1 R-1 1 Main St 2024-01-01 …',
    '01-2 R-2 2 Main St 2024-01-01 2024-07-01',
    '01-2 C-1 2 Main St 2024-07-01 …',
    '01-3 2024-01-01 2024-07-01',
    '01-4 R-9 4 Main St 2024-07-01 …'
  ]
  t.same(await l.parcels(), stand)
  t.same(counts((await l.run(next, 'parcel', '--day', '2024-07-01')).out), {
    new: 0,
    changed: 0,
    ended: 0,
    unchanged: 3
  })
  t.same(await l.parcels(), stand, 'the same file again changes nothing')
})

t.test('a file of the same day corrects what that day had; one left out and taken in again is in force', async t => {
  const l = await loader(t)
  await l.run('parcel_id,zoning_code\n1,A\n2,B\n', 'parcel', '--day', '2024-01-01')
  await l.run('parcel_id,zoning_code\n1,X\n', 'parcel', '--day', '2024-01-01')
  t.same(await l.parcels(), ['1 X 2024-01-01 …'])
  await l.run('parcel_id,zoning_code\n3,C\n', 'parcel', '--day', '2024-02-01')
  await l.run('parcel_id,zoning_code\n1,X\n3,C\n', 'parcel', '--day', '2024-02-01')
  t.same(await l.parcels(), ['1 X 2024-01-01 2024-02-01', '1 X 2024-02-01 …', '3 C 2024-02-01 …'])
  await l.run('parcel_id,zoning_code\n3,D\n', 'parcel', '--day', '2024-03-01', '--partial')
  t.same((await l.parcels()).slice(1), ['1 X 2024-02-01 …', '3 C 2024-02-01 2024-03-01', '3 D 2024-03-01 …'])
  const old = await l.run('parcel_id,zoning_code\n3,E\n', 'parcel', '--day', '2024-02-15')
  t.match(old, { status: 1, err: /known up to 2024-03-01.*REFERENCE_INVALID/s })
})

t.test('rows that are not right are refused with their lines, and nothing is loaded', async t => {
  const l = await loader(t)
  const wrong = await l.run(
    `parcel_id,zoning_code,retired\n1,R,no\n,R,no\n3,R,maybe\n4,R\n5,${'x'.repeat(501)},no\n1,Q,no\n`
  )
  t.equal(wrong.status, 1)
  t.match(wrong.err, /4 rows/)
  t.match(wrong.err, /line 3: parcel_id is missing/)
  t.match(wrong.err, /line 4: retired is neither yes nor no/)
  t.match(wrong.err, /line 5: it cannot be read \(COLUMN_COUNT_MISMATCH\)/)
  t.match(wrong.err, /line 6: zoning_code is longer than 500/)
  const twice = await l.run('parcel_id,zoning_code\n1,R\n2,R\n1,Q\n')
  t.match(twice, { status: 1, err: /1 keys stand on more than one line\.\n {2}lines 2, 4/ })
  t.match(await l.run('colour,size\nred,4\n'), { status: 1, err: /REFERENCE_INVALID/ })
  t.match(await l.run('parcel_id,zoning_code\n'), { status: 1, err: /no rows|FILE_EMPTY/ })
  t.match(await l.run('APN,PIN\n1,2\n'), { status: 1, err: /APN and PIN both mean parcel_id/ })
  t.same(await l.parcels(), [])
})

t.test('GeoJSON is read by its properties; numbers keep their digits, and a file cut off is refused', async t => {
  const l = await loader(t, 'parcels.geojson')
  const feature = (pin: string, more = ''): string =>
    `{ "type": "Feature", "properties": { "PIN14": ${pin}, "ZONE": "R-1", "equivalents": ["A-1", "A-2"]${more} }, "geometry": { "type": "Polygon", "coordinates": [[[1.5, 2], [3, 4]]] } }`
  const head = '{ "type": "FeatureCollection", "name": "parcels", "bbox": [1, 2, 3, 4],\n"features": [\n'
  const text = `${head}${feature('17031230450000123456')},\n${feature('"0042"', ', "owner": "Ann"')}\n]\n}\n`
  const args = ['parcel', '--map', 'parcel_id=PIN14', '--map', 'zoning_code=ZONE', '--day', '2024-01-01']
  t.same(counts((await l.run(text, ...args)).out), { new: 2, changed: 0, ended: 0, unchanged: 0 })
  const { rows } = await l.pool.query(
    `select parcel_id, owner_name, retired, equivalents from registry_parcel order by 1`
  )
  t.same(rows, [
    { parcel_id: '0042', owner_name: 'Ann', retired: false, equivalents: ['A-1', 'A-2'] },
    { parcel_id: '17031230450000123456', owner_name: null, retired: false, equivalents: ['A-1', 'A-2'] }
  ])
  const cut = await l.run(text.slice(0, -6), ...args)
  t.match(cut, { status: 1, err: /FILE_TRUNCATED|JSON_INVALID/ })
  t.equal((await l.run(text.replace('17031230450000123456', '1.7e19'), ...args)).status, 1)
})

t.test('zoning and properties are loaded like parcels', async t => {
  const l = await loader(t)
  t.match(await l.run('parcel_id,zoning_code,overlays\n1,R-1,FP;HD\n', 'zoning'), { status: 0 })
  t.match(await l.run('property_id,address\nP-1,1 Main St\n', 'property'), { status: 0 })
  const { rows } = await l.pool.query(
    `select overlays, (select address from registry_property) as address from registry_zoning`
  )
  t.same(rows, [{ overlays: ['FP', 'HD'], address: '1 Main St' }])
  t.match(await l.run('parcel_id,zoning_code\n1,\n', 'zoning'), { status: 1, err: /line 2: zoning_code is missing/ })
})

t.test('what is asked for in a way it is not understood is told', async t => {
  const l = await loader(t)
  for (const args of [
    ['colour'],
    ['parcel', '--day', '2024-02-30'],
    ['parcel', '--map', 'x=y'],
    ['parcel', '--fast']
  ]) {
    t.match(await l.run('parcel_id\n1\n', ...args), { status: 2, err: /usage: docket registry/ }, args.join(' '))
  }
})
