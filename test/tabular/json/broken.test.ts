import { test } from 'tap'
import { outline, rowsOf } from '../read-all.ts'

test('a broken record is followed by those on lines of their own, whatever members without a value they leave out', async t => {
  const full = '{"id":1,"street":"Elm","parts":[{"id":"7","n":1}],"status":"open","fee":1,"units":2}'
  const sparse = '{"id":3,"street":"Elm","status":"open"}'
  const broken = full.replace('"Elm"', '"Elm')
  for (const [head, mark, tail] of [['[\n', ',\n', '\n]'], ['[\n  ', ',\n  ', '\n]\n'], ['[\n', '\n,', '\n]'], ['{"records":[\r\n\t', ',\r\n\t', ']}']]) {
    const rows = await rowsOf(`${head}${[full, broken, sparse, full].join(mark)}${tail}`, { isJson: true })
    t.strictSame(rows.map(row => row.fault?.code ?? row.names.length), [6, 'JSON_INVALID', 3, 6], JSON.stringify(mark))
  } // biome-ignore format: a table
  const pretty = (text: string): string => JSON.stringify(JSON.parse(text), null, 2)
  const rows = await rowsOf(`[${[pretty(full), pretty(full).replace('"open"', 'open"'), pretty(sparse)].join(',\n')}]`)
  t.strictSame(
    rows.map(row => row.fault?.code ?? row.names.length),
    [6, 'JSON_INVALID', 3],
    'not the object inside it'
  )
})

/** Ten records on one line, the fourth spoilt: what is spoilt, and how many rows come of it. */
const SPOILT: readonly [string, (record: string) => string][] = [
  ['the closing quote of a value is missing', record => record.replace('"Elm"', '"Elm')],
  ['the opening quote of a value is missing', record => record.replace('"Elm"', 'Elm"')],
  ['the closing quote of a name is missing', record => record.replace('"street"', '"street')],
  ['the closing quote of the first name is missing', record => record.replace('"id"', '"id')],
  ['the opening quote of the first name is missing', record => record.replace('"id"', 'id"')],
  ['the closing quote of the last value is missing', record => record.replace('"open"', '"open')],
  ['a quote mark stands inside a value', record => record.replace('"Elm"', '"6" Elm"')],
  ['the closing brace is missing', record => record.slice(0, -1)],
  ['a list inside is not closed', record => record.replace(']', '')],
  ['an object inside is not closed', record => record.replace('},{', ',{')],
  ['a colon is missing', record => record.replace(':', '')],
  ['a comma is missing', record => record.replace(',"street"', '"street"')]
]

const ENDS: readonly (readonly [string, string])[] = [
  ['[', ']'],
  ['{"records":[', '],"n":1}'],
  ['[ ', ' ]\n']
]

const recordOf = (n: number): string =>
  `{"id":${n},"street":"Elm","parts":[{"id":"7","n":1},{"id":"8","n":2}],"status":"open"}`

for (const [what, spoil] of SPOILT) {
  test(`an array on one line: ${what}`, async t => {
    const records = Array.from({ length: 10 }, (_, n) => (n === 3 ? spoil(recordOf(n)) : recordOf(n)))
    for (const [head, tail] of ENDS) {
      const rows = await rowsOf(`${head}${records.join(',')}${tail}`, { isJson: true })
      t.strictSame(
        rows.map(row => row.fault?.code ?? row.values[0]),
        Array.from({ length: 10 }, (_, n) => (n === 3 ? 'JSON_INVALID' : { json: String(n) })),
        head
      )
      t.match(rows[3]?.fault?.detail, /at character \d+/)
      t.ok(rows[3]?.source?.includes(spoil(recordOf(3))), 'the whole of it is kept')
    }
  })
}

test('two broken records in turn, and the last one', async t => {
  const broken = (n: number): string => recordOf(n).replace('"Elm"', '"Elm')
  const rows = await rowsOf(`[${[recordOf(0), broken(1), broken(2), recordOf(3), broken(4)].join(',')}]`)
  t.strictSame(outline(rows), ['1 1 ok', '2 1 JSON_INVALID', '3 1 ok', '4 1 JSON_INVALID'])
  t.ok(rows[1]?.source?.includes('"id":2'), 'what stands between two records that can be read is held as one row')
})

test('a hostile array of broken records is read in a time that grows with it alone', async t => {
  for (const piece of ['{"a":",{"a":[1,', '{"a":"},{"a":', ',{"a":1,{"a":', '{"a":"x,']) {
    const rows = await rowsOf(`[${piece.repeat(100_000)}`, { isJson: true })
    t.ok(rows.length > 0, piece)
  }
})

test('a line end in a string does not take the other records of its line with it', async t => {
  const record = (n: number, name = 'Ida') => `{"id":${n},"name":"${name}","sub":[{"id":"x","name":"y"}]}`
  for (const end of ['\n', '\r\n', '\r']) {
    const text = `[${record(1)},${record(2, `I${end}da`)},${record(3)},${record(4)}]`
    const rows = await rowsOf(text, { isJson: true })
    t.strictSame(
      rows.map(row => row.fault?.code ?? row.names.length),
      [3, 'JSON_INVALID', 3, 3],
      JSON.stringify(end)
    )
    t.strictSame(
      rows.map(row => row.line),
      [1, 1, 2, 2]
    )
  }
  const spoilt = await rowsOf(`[${record(1)},\n${record(2, 'I\nda')},\n${record(3)}]`, { isJson: true })
  t.strictSame(
    spoilt.map(row => row.fault?.code ?? row.line),
    [1, 'JSON_INVALID', 4]
  )
  const nothing = await rowsOf(`[${record(1)},${record(2, 'I\nda')}]`, { isJson: true })
  t.strictSame(
    nothing.map(row => row.fault?.code ?? row.line),
    [1, 'JSON_INVALID'],
    'nothing behind it'
  )
})

test('two arrays that are not closed are two contents', async t => {
  const sourceOf = async (text: string) => (await rowsOf(text, { isJson: true })).at(-1)
  const [one, same, other] = await Promise.all(['[{"id":1},', '[{"id":1},', '[{"id":2},'].map(sourceOf))
  t.match([one?.fault, other?.fault], [{ code: 'FILE_TRUNCATED' }, { code: 'FILE_TRUNCATED' }])
  t.equal(one?.source, same?.source)
  t.not(one?.source, other?.source)
})
