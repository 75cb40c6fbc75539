import { test } from 'tap'
import { formatOf, outline, rowsOf } from '../read-all.ts'

const OUTLINES: readonly [string, string, readonly string[]][] = [
  ['an array', '[{"a":1},\n {"a":2}]', ['1 1 ok', '2 2 ok']],
  ['an empty array', '[]', []],
  [
    'the records of an object',
    '{"meta":{"n":[1]},"records":[\n{"a":1},{"a":2}\n],"more":[3,[{"a":4}]]}',
    ['1 2 ok', '2 2 ok']
  ],
  [
    'a list of objects behind the records',
    '{"meta":{"n":[1]},"records":[\n{"a":1},{"a":2}\n],"n":1,"more":[ {"a":3}],"m":2}',
    ['1 2 ok', '2 2 ok', '3 3 ROW_UNPARSABLE']
  ],
  [
    'a second array of records is not lost',
    '{"records":[{"a":1}],"records":[{"a":2},\n{"a":3}],"n":1}',
    ['1 1 ok', '2 1 DUPLICATE_KEY']
  ],
  [
    'nor one behind other members',
    '{"records":[{"a":1}],"kind":"records","n":{"records":[1]}\n,  "records" :[{"a":2}]}',
    ['1 1 ok', '2 2 DUPLICATE_KEY']
  ],
  ['nor one that is cut off', '{"records":[{"a":1}],"records":[{"a":2', ['1 1 ok', '2 1 DUPLICATE_KEY']],
  ['a value called records', '{"records":[{"a":1}],"kind":"records","x":["records"]}', ['1 1 ok']],
  ['a bracket too many around', '{"records":[{"a":1}]],"x":1}', ['1 1 ok', '2 1 JSON_INVALID']],
  ['an object around that is not closed', '{"records":[{"a":1}],"x":[1', ['1 1 ok', '2 1 FILE_TRUNCATED']],
  ['one object', '{"a":1}', ['1 1 ok']],
  ['one object over lines', '{\n "a": [\n1]\n}\n', ['1 1 ok']],
  ['objects over lines sent as lines', '{\n "a": 1\n}\n{\n "a": 2\n}', ['1 1 ok', '2 4 ok']],
  ['several objects on a line', '{"a":1}{"a":2}\n\n{"a":3}  {"a":4}', ['1 1 ok', '2 1 ok', '3 3 ok', '4 3 ok']],
  ['a byte order mark', '\ufeff[{"a":1}]', ['1 1 ok']],
  ['a byte order mark before lines', '\ufeff{"a":1}\n{"a":2}', ['1 1 ok', '2 2 ok']],
  ['blank lines at both ends', '\n \t\n{"a":1}\n\n\n{"a":2}\n\n', ['1 3 ok', '2 6 ok']],
  ['lines that end in commas', '{"a":1},\n{"a":2},\n{"a":3}', ['1 1 ok', '2 2 ok', '3 3 ok']],
  ['an array over lines sent as lines', '[\n  {\n "a": 1\n },\n  {\n "a": 2\n }\n]\n', ['1 2 ok', '2 5 ok']],
  [
    'an object over lines among lines',
    '{"a":1}\n{\n "a": 2\n}\n{"a":3}',
    ['1 1 ok', '2 2 JSON_INVALID', '3 3 JSON_INVALID', '4 4 JSON_INVALID', '5 5 ok']
  ],
  [
    'words that are not JSON, on lines',
    '{"a":1}\n{"a":NaN}\n{"a":Infinity}\n{"a":-Infinity}\n{"a":nan}\n{"a":undefined}\n{"a":None}\n{"a":2}',
    ['1 1 ok', ...[2, 3, 4, 5, 6, 7].map(n => `${n} ${n} JSON_INVALID`), '8 8 ok']
  ],
  [
    'a repeated name on a line of several',
    '{"a":1}{"a":1,"a":1}{"a":3}\n{"a":4}',
    ['1 1 ok', '2 1 DUPLICATE_KEY', '3 1 ok', '4 2 ok']
  ],
  [
    'deep nesting on a line',
    `{"a":1}\n{"a":${'{"b":'.repeat(70)}1${'}'.repeat(70)}}\n{"a":3}`,
    ['1 1 ok', '2 2 JSON_TOO_DEEP', '3 3 ok']
  ],
  [
    'NUL and half characters on lines',
    '{"a":"\\u0000"}\n{"a":"\\udfff"}\n{"\\u0000":1}\n{"a":[{"b":"\\ud800"}]}\n{"a":1}',
    [...[1, 2, 3, 4].map(n => `${n} ${n} TEXT_NOT_STORABLE`), '5 5 ok']
  ],
  ['a byte that is NUL', '{"a":1}\n{"a":"\0"}\n{"a":3}', ['1 1 ok', '2 2 JSON_INVALID', '3 3 ok']],
  [
    'comments and single quotes',
    '{"a":1}\n// no\n{\'a\':2}\n{"a":3}',
    ['1 1 ok', '2 2 JSON_INVALID', '3 3 JSON_INVALID', '4 4 ok']
  ],
  ['CR LF and CR', '{"a":1}\r\n\r\n{"a":2}\r{"a":3}', ['1 1 ok', '2 3 ok', '3 4 ok']],
  [
    'a broken line',
    '{"a":1}\n{"a":\n{"a":3}\nnonsense\n{"a":5}',
    ['1 1 ok', '2 2 JSON_INVALID', '3 3 ok', '4 4 JSON_INVALID', '5 5 ok']
  ],
  ['a line with one brace too many', '{"a":1}\n{"a":2}}\n{"a":3}', ['1 1 ok', '2 2 JSON_INVALID', '3 3 ok']],
  [
    'an element that is not JSON',
    '[{"a":NaN},{"a":2},{"a":-Infinity},{"a":01}]',
    ['1 1 JSON_INVALID', '2 1 ok', '3 1 JSON_INVALID', '4 1 JSON_INVALID']
  ],
  [
    'elements that are no objects',
    '[1,"x",[{"a":1}],{"a":1}]',
    ['1 1 ROW_UNPARSABLE', '2 1 ROW_UNPARSABLE', '3 1 ROW_UNPARSABLE', '4 1 ok']
  ],
  ['nonsense between elements', '[{"a":1} oops {"a":2}]', ['1 1 ok', '2 1 JSON_INVALID', '3 1 ok']],
  ['a string that is not closed', '[\n{"a":"x},\n{"a":"y"},\n{"a":"z"}\n]', ['1 2 JSON_INVALID', '2 3 ok', '3 4 ok']],
  ['a bracket that is not closed', '[{"a":1},\n{"a":[2},\n{"a":3}]', ['1 1 ok', '2 2 JSON_INVALID', '3 3 ok']],
  ['a file cut inside an element', '[{"a":1},\n{"a":"2', ['1 1 ok', '2 2 JSON_INVALID']],
  ['a file cut between elements', '[{"a":1},\n{"a":2},\n', ['1 1 ok', '2 2 ok', '3 3 FILE_TRUNCATED']],
  ['text behind the array', '[{"a":1}]\n[{"a":2}]\n', ['1 1 ok', '2 2 JSON_INVALID']],
  ['a repeated name inside a value', '[{"a":{"b":1,"c":2,"b":1}}]', ['1 1 DUPLICATE_KEY']],
  ['names equal once unescaped', '[{"a":1,"\\u0061":2}]', ['1 1 DUPLICATE_KEY']],
  [
    'NUL and half characters',
    '[{"a":"\\u0000"},{"a":"\\ud800x"},{"\\udc00":1},{"a":"\\ud83d\\ude00"}]',
    ['1 1 TEXT_NOT_STORABLE', '2 1 TEXT_NOT_STORABLE', '3 1 TEXT_NOT_STORABLE', '4 1 ok']
  ],
  [
    'control characters',
    '[{"a":"\t"},{"a":"\\x"},{"a":"\\u12g4"},{"a":1,}]',
    Array.from({ length: 4 }, (_, n) => `${n + 1} 1 JSON_INVALID`)
  ],
  ['64 levels', `[{"a":${'['.repeat(63)}${']'.repeat(63)}}]`, ['1 1 ok']],
  ['65 levels', `[{"a":${'['.repeat(64)}${']'.repeat(64)}}]`, ['1 1 JSON_TOO_DEEP']],
  ['100,000 levels', `[{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}},{"a":1}]`, ['1 1 JSON_TOO_DEEP', '2 1 ok']],
  ['too large an element', `[{"a":"${'x'.repeat(1_100_000)}"},{"a":1}]`, ['1 1 RECORD_TOO_LARGE', '2 1 ok']],
  ['too large a line', `{"a":"${'x'.repeat(1_100_000)}"}\n{"a":1}`, ['1 1 RECORD_TOO_LARGE', '2 2 ok']]
]

for (const [what, text, expected] of OUTLINES) {
  test(`${what}: every record is accounted for`, async t => {
    t.strictSame(outline(await rowsOf(text, { isJson: true })), expected)
  })
}

test('numbers keep their source text, strings become strings, nested values canonical text', async t => {
  const text = '[{"n":1500.00,"big":1e400,"s":"a\\n\\"b\\/","t":true,"z":null,"o":{"b":[1.0, "x"],"a":-0.10}}]'
  const [row] = await rowsOf(text)
  t.strictSame(row?.names, ['n', 'big', 's', 't', 'z', 'o'])
  t.strictSame(row?.values, [
    { json: '1500.00' },
    { json: '1e400' },
    'a\n"b/',
    { json: 'true' },
    null,
    { json: '{"a":-0.10,"b":[1.0,"x"]}' }
  ])
})

test('names that objects treat specially are names like others', async t => {
  const [row] = await rowsOf('[{"__proto__":"x","constructor":{"__proto__":{"y":1}}}]')
  t.strictSame(row?.names, ['__proto__', 'constructor'])
  t.strictSame(row?.values, ['x', { json: '{"__proto__":{"y":1}}' }])
  t.equal(({} as Record<string, unknown>)['y'], undefined)
})

test('bytes that are no UTF-8 hold their record only', async t => {
  const bytes = Buffer.from('[{"a":"\u00e9\u00e9"},{"a":"?"},{"a":"z"}]')
  bytes[bytes.indexOf('?')] = 0xe9
  t.strictSame(outline(await rowsOf(bytes)), ['1 1 ok', '2 1 ENCODING_INVALID', '3 1 ok'])
})

/** Faults that lie in one member, which is named. */
const IN_MEMBERS: readonly [string, string | Buffer, string, string | undefined, string | undefined][] = [
  ['NUL', '[{"a":1,"note":"\\u0000"}]', 'TEXT_NOT_STORABLE', 'note', 'in member “note”'],
  ['half a character below', '[{"a":1,"n":{"b":["\\ud800"]},"c":2}]', 'TEXT_NOT_STORABLE', 'n', 'in member “n”'],
  ['a name that cannot be shown', '[{"\\u0000":1}]', 'TEXT_NOT_STORABLE', undefined, undefined],
  ['no JSON', '[{"a":1,"fee":NaN}]', 'JSON_INVALID', 'fee', 'at character 14, in member “fee”'],
  [
    'a string without its end',
    '[{"a":1,"who":"x},\n{"a":2}]',
    'JSON_INVALID',
    'who',
    'a string is not closed on its line, at character 18, in member “who”'
  ],
  [
    'a string without its end, on lines',
    '{"a":1}\n{"a":1,"who":"x}\n{"a":2}',
    'JSON_INVALID',
    'who',
    'a string is not closed on its line, at character 17, in member “who”'
  ],
  ['a comma too many', '[{"a":1,}]', 'JSON_INVALID', 'a', 'at character 8, in member “a”'],
  [
    'too deep',
    `[{"a":1,"deep":${'['.repeat(65)}${']'.repeat(65)}}]`,
    'JSON_TOO_DEEP',
    undefined,
    'more than 64 levels'
  ],
  [
    'bytes that are no text',
    Buffer.concat([Buffer.from('[{"a":"é"},{"a":"é","who":"'), Buffer.from([0xe9]), Buffer.from('"}]')]),
    'ENCODING_INVALID',
    'who',
    'in member “who”'
  ],
  [
    'half a character in UTF-16',
    Buffer.from('\ufeff[{"a":"é"},{"a":"é","who":"\ud800"}]', 'utf16le'),
    'TEXT_NOT_STORABLE',
    'who',
    'in member “who”'
  ]
]

for (const [what, content, code, column, detail] of IN_MEMBERS) {
  test(`${what}: the reason names the member`, async t => {
    const [held] = (await rowsOf(content, { isJson: true })).filter(row => row.fault)
    t.match(held?.fault, { code })
    t.equal(held?.fault?.column, column)
    t.equal(held?.fault?.detail, detail)
  })
}

test('the source of a faulty record is kept', async t => {
  const rows = await rowsOf('[{"a":NaN},\n{"a":"x},\n{"a":1}]')
  t.equal(rows[0]?.source, '{"a":NaN}')
  t.equal(rows[1]?.source, '{"a":"x},\n')
  t.strictSame(rows[1]?.values, [])
})

test('layouts', t => {
  const layout = (text: string): string => {
    const format = formatOf(Buffer.from(text), { knownColumn: () => true })
    return format.kind === 'json' ? format.layout : format.kind
  }
  t.equal(layout('[{"a":1}]'), 'array')
  t.equal(layout('{"records":[]}'), 'array')
  t.equal(layout('{"a":1}\n{"a":2}\n'), 'lines')
  t.equal(layout('{"a"\n{"a":2}\n{"a":3}\n'), 'lines')
  t.equal(layout('{\n"a":1}'), 'sequence')
  t.equal(layout('[permit_number],[status]\n1,2\n3,4\n'), 'delimited')
  t.end()
})

test('a file that is not laid out as it was said is named by its layout, and a row by what goes on beyond its line', async t => {
  const layoutOf = (text: string): unknown => formatOf(Buffer.from(text), { isJson: true }).evidence['layout']
  t.equal(layoutOf('{\n "a": 1\n}\n{\n "a": 2\n}\n'), 'records one after another, over several lines each')
  t.equal(layoutOf('[\n {"a": 1}\n]\n'), 'an array of records')
  t.equal(layoutOf('{"a":1}\n'), 'one or more whole records a line')
  const rows = await rowsOf('{"a":1}\n{"a":\n{"a":"x\n{"a":2}')
  t.match(rows[1]?.fault, { code: 'JSON_INVALID', detail: /^a value goes on beyond its line/ })
  t.match(rows[2]?.fault, { code: 'JSON_INVALID', detail: 'a string is not closed on its line' })
})

test('numbers of any size keep every digit, and signs of zero', async t => {
  const numbers = [
    '12345678901234567890123456789',
    '0.1234567890123456789',
    '-0',
    '-0.0',
    '1E+400',
    '9007199254740993',
    '1500.10'
  ]
  const rows = await rowsOf(numbers.map(number => `{"a":${number}}`).join('\n'))
  t.strictSame(
    rows.map(({ values }) => values),
    numbers.map(json => [{ json }])
  )
})

test('a line of very many values is read once, however many chunks it makes', async t => {
  const rows = await rowsOf(`{"a":1}\n${'{} '.repeat(200_000)}\n{"a":2}`)
  t.equal(rows.length, 200_002)
  t.strictSame(outline(rows).at(-1), '200002 3 ok')
})
