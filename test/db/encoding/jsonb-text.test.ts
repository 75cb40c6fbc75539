import t from 'tap'
import { jsonbText } from '../../../src/db/encoding/jsonb-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { SEED, seeded } from '../../audit/log/seeded.ts'
import { testDatabase } from '../../helpers/database.ts'

const NAMES = [
  'id',
  'a',
  'b',
  'ab',
  'é',
  'zé',
  'zz',
  '𝒳',
  '\uFFFD',
  'project_valuation',
  'site address',
  '',
  '"',
  'ÿ',
  '__proto__'
]
const NUMBERS = [0, -0, 1, -1, 0.98, 1e21, 1.5e-7, -2.25e-10, 123_456_789, 1.25e22, 5e-324, 0.1, 100, 1e300]
const TEXTS = [
  '',
  'plain',
  'a "b" \\c',
  'line\nbreak\ttab\b\f\r',
  '\u0001\u001f\u007f',
  'naïve — “x”',
  '𝒳',
  '/',
  '\u2028',
  '<b>'
]

function valueOf(next: (below: number) => number, depth: number): Json {
  const kind = next(depth > 3 ? 5 : 8)
  if (kind === 0) return null
  if (kind === 1) return next(2) === 1
  if (kind === 2) return NUMBERS[next(NUMBERS.length)] ?? 0
  if (kind < 5) return TEXTS[next(TEXTS.length)] ?? ''
  const inner = Array.from({ length: next(6) }, () => valueOf(next, depth + 1))
  if (kind === 5) return inner
  return Object.fromEntries(inner.map((value, i) => [NAMES[(i + next(NAMES.length)) % NAMES.length] ?? '', value]))
}

t.test('writes what Postgres writes', async t => {
  const { pool } = await testDatabase(t)
  t.comment(`seed ${SEED}`)
  const next = seeded(SEED)
  const values = Array.from({ length: 3000 }, () => valueOf(next, 0))
  const { rows } = await pool.query<{ text: string }>(
    'select value::text as text from jsonb_array_elements($1::jsonb) with ordinality order by ordinality',
    [JSON.stringify(values)]
  )
  t.equal(rows.length, values.length)
  const wrong = values.findIndex((value, i) => jsonbText(value) !== rows[i]?.text)
  t.equal(wrong, -1, wrong === -1 ? 'all alike' : `${jsonbText(values[wrong] ?? null)} is ${rows[wrong]?.text}`)
})

t.test('members without a value are left out', async t => {
  t.equal(jsonbText({ b: undefined, a: 1 } as unknown as Json), '{"a": 1}')
})

t.test('what the database refuses stays an escape', async t => {
  t.equal(jsonbText({ a: 'x\u0000y\ud800' }), '{"a": "x\\u0000y\\ud800"}')
})
