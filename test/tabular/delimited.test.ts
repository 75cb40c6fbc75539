import { test } from 'tap'
import { detectFormat } from '../../src/tabular/detect-format.ts'
import { fixture, formatOf, knownColumn, outline, rowsOf, splitAll } from './read-all.ts'

const HEADER = 'permit_number,parcel_id,status\n'

const FAULTS: readonly [string, string, readonly string[]][] = [
  ['a bare quote where others are quoted', 'a,"b",c\nd,6" pipe,e\nf,g,h\n', ['1 2 ok', '2 3 ROW_UNPARSABLE', '3 4 ok']],
  ['text behind a closing quote', 'a,"b" x,c\nd,e,f\n', ['1 2 ROW_UNPARSABLE', '2 3 ok']],
  ['a quote that closes by accident below', 'a,"b,c\nd,"e, f",g\nh,i,j\n', ['1 2 UNCLOSED_QUOTE', '2 3 ok', '3 4 ok']],
  ['a cell of lines, then an unclosed quote', 'a,"b\nb","c\nd,e,f\n', ['1 2 UNCLOSED_QUOTE', '2 4 ok']],
  ['an unclosed quote on the last line', 'a,b,c\nd,"e,f', ['1 2 ok', '2 3 UNCLOSED_QUOTE']],
  ['a ragged record of several lines', 'a,"b\nb"\nd,e,f\n', ['1 2 COLUMN_COUNT_MISMATCH', '2 4 ok']],
  [
    'a quote that closes far below with whole rows between',
    'a,"b,c\nd,e,f\ng",h,i\n"j","k",l\n"m","n",o\n',
    ['1 2 UNCLOSED_QUOTE', '2 3 ok', '3 4 ROW_UNPARSABLE', '4 5 ok', '5 6 ok']
  ],
  ['a cell more', 'a,b,c,d\ne,f,g\n', ['1 2 COLUMN_COUNT_MISMATCH', '2 3 ok']],
  ['empty cells more', 'a,b,c,,\n,,,,\ne,f,g,,\n', ['1 2 ok', '2 4 ok']],
  ['NUL', 'a,b\0,c\nd,e,f\n', ['1 2 TEXT_NOT_STORABLE', '2 3 ok']],
  ['a summary row', 'a,b,c\nTotal: 812\n', ['1 2 ok', '2 3 COLUMN_COUNT_MISMATCH']],
  [
    'a row taken out',
    'a,b,c\n#d,e,f\n# g,h,i\n//j,k,l\nm,n,o\n',
    ['1 2 ok', '2 3 ROW_UNPARSABLE', '3 4 ROW_UNPARSABLE', '4 5 ROW_UNPARSABLE', '5 6 ok']
  ],
  [
    'other signs',
    ';a,b,c\n--d,e,f\n%g,h,i\nj,k,l\nm,n,o\np,q,r\ns,t,u\n',
    ['1 2 ROW_UNPARSABLE', '2 3 ROW_UNPARSABLE', '3 4 ROW_UNPARSABLE', '4 5 ok', '5 6 ok', '6 7 ok', '7 8 ok']
  ],
  ['numbers that all begin with such a sign', '#1,b,c\n#2,e,f\n# 3,h,i\n', ['1 2 ok', '2 3 ok', '3 4 ok']],
  [
    'placeholders, negative numbers, quoted cells',
    '--,b,c\n-1,e,f\n"#2",h,i\n-,k,l\n',
    ['1 2 ok', '2 3 ok', '3 4 ok', '4 5 ok']
  ],
  ['the header again', `a,b,c\n${HEADER}d,e,f\nPermit_Number,PARCEL_ID,status\n`, ['1 2 ok', '2 4 ok']],
  ['CR alone', 'a,b,c\rd,e,f\r', ['1 2 ok', '2 3 ok']],
  ['mixed line ends', 'a,b,c\r\nd,e,f\n\r\ng,h,i\rj,k,l', ['1 2 ok', '2 3 ok', '3 5 ok', '4 6 ok']],
  ['no line end at the end, last cell empty', 'a,b,', ['1 2 ok']]
]

for (const [what, body, expected] of FAULTS) {
  test(`${what}: every row is accounted for`, async t => t.strictSame(outline(await rowsOf(HEADER + body)), expected))
}

test('a stray quote far below does not swallow what lies between', async t => {
  const between = Array.from({ length: 2000 }, (_, row) => `n${row},p,s`).join('\n')
  const rows = await rowsOf(`${HEADER}a,"b,c\n${between}\nx,"y",z\n`)
  t.equal(rows.length, 2002)
  t.strictSame(outline(rows.filter(row => row.fault)), ['1 2 UNCLOSED_QUOTE'])
})

test('doubled quotes, and backslashes where the file uses them', async t => {
  const [doubled] = await rowsOf(`${HEADER}a,"say ""hi""",""\n`)
  t.strictSame(doubled?.values, ['a', 'say "hi"', ''])
  const [escaped] = await rowsOf(`${HEADER}a,"say \\"hi\\", twice","c"\n`)
  t.strictSame(escaped?.values, ['a', 'say "hi", twice', 'c'])
})

test('a file that never quotes keeps inch marks, and still holds a quoted cell met later', async t => {
  const unquoted = 'a,6" pipe,c\n'.repeat(120)
  const rows = await rowsOf(`${HEADER}${unquoted}d,"e",f\n`)
  t.equal(rows[0]?.values[1], '6" pipe')
  t.strictSame(outline(rows.filter(row => row.fault)), ['121 122 ROW_UNPARSABLE'])
})

test('a record beyond the limit is passed over, kept apart by its digest, and the next one read', async t => {
  const big = (letter: string): string => `${HEADER}a,${letter.repeat(1_200_000)},c\nd,e,f\n`
  const [one, two] = [await rowsOf(big('x')), await rowsOf(big('y'))]
  t.strictSame(outline(one), ['1 2 RECORD_TOO_LARGE', '2 3 ok'])
  t.ok((one[0]?.source?.length ?? 0) < 20_000)
  t.not(one[0]?.source, two[0]?.source)
  t.strictSame(outline(await rowsOf(`${HEADER}a,"${'x\n'.repeat(600_000)}`)).slice(0, 1), ['1 2 UNCLOSED_QUOTE'])
})

test('lines above the header are passed over, filled rows above it are not', t => {
  const titled = formatOf(Buffer.from(`Permits,,\n\nJune 2026,,\n${HEADER}a,b,c\n`))
  t.match(titled, { kind: 'delimited', headerLine: 4, dataLine: 5 })
  const lost = detectFormat(Buffer.from(`a,b,c\n${HEADER}d,e,f\n`), { whole: true, knownColumn })
  t.match(lost, { ok: false, fault: { code: 'HEADER_MISSING' } })
  t.end()
})

test('faults of the whole file', t => {
  const codeOf = (text: string): string => {
    const decision = detectFormat(Buffer.from(text), { whole: true, knownColumn })
    return decision.ok ? 'ok' : decision.fault.code
  }
  t.equal(codeOf(''), 'FILE_EMPTY')
  t.equal(codeOf('\ufeff \r\n\n'), 'FILE_EMPTY')
  t.equal(codeOf('2015,77,9 Elm St\n2015,78,10 Elm St\n'), 'HEADER_MISSING')
  t.equal(codeOf(`permit_number,${Array.from({ length: 500 }, (_, n) => `c${n}`).join(',')}\n`), 'ROW_UNPARSABLE')
  t.equal(codeOf(HEADER), 'ok')
  t.end()
})

test('declared columns stand for a header', async t => {
  const columns = ['permit_number', 'parcel_id', 'status']
  const rows = await rowsOf('1;2;3\n4;5;6\n', { columns })
  t.strictSame(
    rows.map(row => row.values),
    [
      ['1', '2', '3'],
      ['4', '5', '6']
    ]
  )
  t.equal((await rowsOf(`${HEADER}1,2,3\n`, { columns })).length, 1)
})

test('nameless columns: dropped at the end, called by ordinal between', async t => {
  const [row, held] = await rowsOf('permit_number,,status,,\na,b,c,,\nd,e,f,g,\n')
  t.strictSame(row?.names, ['permit_number', '2', 'status'])
  t.equal(held?.fault?.code, 'COLUMN_COUNT_MISMATCH')
})

test('two columns of one name: equal cells are one value, different ones hold the row', async t => {
  const rows = await rowsOf('permit_number,Status,status\na,open,open\nb,open,shut\n')
  t.strictSame(rows[0]?.names, ['permit_number', 'Status'])
  t.strictSame(outline(rows), ['1 2 ok', '2 3 DUPLICATE_HEADER'])
  t.equal(formatOf(fixture('csv-cs09.csv')).kind, 'delimited')
})

test('tabs and bars', async t => {
  t.strictSame((await rowsOf('permit_number\tstatus\na, b\tc\n'))[0]?.values, ['a, b', 'c'])
  t.strictSame((await rowsOf('permit_number|status\na, b|c\n'))[0]?.values, ['a, b', 'c'])
})

test('the source of a faulty row is its text as written, also beyond ASCII', async t => {
  const rows = await rowsOf(`${HEADER}é,b\nxé,b\0,c\nd,e,f\n`)
  t.strictSame(
    rows.map(row => row.source),
    ['é,b', 'xé,b\\u0000,c', undefined]
  )
})

/** Faults that lie in one cell: its column is named by number and header. */
const IN_CELLS: readonly [string, string | Buffer, string, string][] = [
  ['an unclosed quote', 'a,"b,c\nd,e,f\n', 'parcel_id', 'opened on line 2, in column 2 “parcel_id”'],
  [
    'an unclosed quote below a cell of lines',
    'a,"b\nb","c\nd,e,f\n',
    'status',
    'opened on line 3, in column 3 “status”'
  ],
  [
    'a quote closed far below',
    'a,b,"c\nd,e,f\ng,h",i\nj,"k",l\nm,"n",o\n',
    'status',
    'opened on line 2, in column 3 “status”'
  ],
  [
    'a bare quote',
    'a,"b",c\nd,6" pipe,e\n',
    'parcel_id',
    'a quote mark stands inside or behind a cell, in column 2 “parcel_id”'
  ],
  [
    'text behind a closing quote',
    'd,e,"f" x\n',
    'status',
    'a quote mark stands inside or behind a cell, in column 3 “status”'
  ],
  [
    'a quote beyond the last column',
    'a,b,c,d"\n',
    '4',
    'a quote mark stands inside or behind a cell, in column 4, beyond the last one'
  ],
  [
    'a quoted cell where none is quoted',
    `${'a,6" pipe,c\n'.repeat(120)}d,"e",f\n`,
    'parcel_id',
    'a quote mark where the file has none, in column 2 “parcel_id”'
  ],
  [
    'bytes that are no text',
    Buffer.from('é,é,é\na,b,\xff\xff\n', 'latin1'),
    'status',
    'on line 3, in column 3 “status”'
  ],
  ['NUL', 'a,b\0,c\n', 'parcel_id', 'in column 2 “parcel_id”']
]

for (const [what, body, column, detail] of IN_CELLS) {
  test(`${what}: the reason names the column`, async t => {
    const utf8 = Buffer.from(`${HEADER}${'é,é,é\n'.repeat(20)}`)
    const bytes = typeof body === 'string' ? Buffer.from(HEADER + body) : Buffer.concat([utf8, body.subarray(6)])
    const [held] = (await rowsOf(bytes)).filter(row => row.fault)
    t.equal(held?.fault?.column, column)
    t.equal(held?.fault?.detail, typeof body === 'string' ? detail : detail.replace('3', '22'))
  })
}

/** Text in the form of a formula, as programs write it so that a spreadsheet keeps its zeros, outside quote marks. */
const GUARDED: readonly [string, string, readonly (readonly unknown[])[]][] = [
  [
    'in every row',
    '="007",a,b\n="008",c,d\n',
    [
      ['="007"', 'a', 'b'],
      ['="008"', 'c', 'd']
    ]
  ],
  [
    'beside quoted cells',
    '="007","a, b",c\n"d",="008","e"\n',
    [
      ['="007"', 'a, b', 'c'],
      ['d', '="008"', 'e']
    ]
  ],
  [
    'as the last cell, and at the end of the file',
    '"a",b,="007"\r\nc,d,="008"',
    [
      ['a', 'b', '="007"'],
      ['c', 'd', '="008"']
    ]
  ],
  ['of nothing', '"a",="",c\n', [['a', '=""', 'c']]],
  ['inside quote marks too', '"=""007""","a",="1"\n', [['="007"', 'a', '="1"']]],
  [
    'with a delimiter inside: nobody can tell it from two cells',
    '="0,07","b",c\nd,"e",f\n',
    [['ROW_UNPARSABLE'], ['d', 'e', 'f']]
  ],
  ['with text behind', '="007"x,"b",c\nd,"e",f\n', [['ROW_UNPARSABLE'], ['d', 'e', 'f']]],
  ['with a quote mark inside', '="0""7","b",c\nd,"e",f\n', [['ROW_UNPARSABLE'], ['d', 'e', 'f']]],
  ['that is not closed on its line', '="007,"b",c\nd,"e",f\n', [['ROW_UNPARSABLE'], ['d', 'e', 'f']]],
  ['with a space before it', 'a, ="007","c"\nd,"e",f\n', [['ROW_UNPARSABLE'], ['d', 'e', 'f']]]
]

for (const [what, body, expected] of GUARDED) {
  test(`text in the form of a formula ${what}`, async t => {
    for (const blockBytes of [5, 7, 65_536]) {
      const bytes = Buffer.from(HEADER + body)
      const { rows } = await splitAll(bytes, formatOf(bytes), { blockBytes })
      t.strictSame(
        rows.map(row => (row.fault ? [row.fault.code] : row.values)),
        expected,
        `blocks of ${blockBytes}`
      )
    }
  })
}

test('a heading over a group of rows is no record', async t => {
  const rows = async (text: string) => (await rowsOf(text)).map(row => row.fault?.detail ?? 'ok')
  const head = 'permit_number,parcel_id,permit_type,status\n'
  const heading = 'a heading over the rows below it'
  t.strictSame(
    await rows(
      `${head}Permit Type: Roof,,,\nA-1,22-1,roof,open\n,Stat Code: 001,,\n,,,Ward 3: North\nA-2,22-2,roof,open\n`
    ),
    [heading, 'ok', heading, heading, 'ok']
  )
  const kept = ['A-1:2,22-1,roof,open', 'A-1,,,', 'http://x.example/1,,,', ',,"12: 30",', 'Note: x,22-1,,']
  for (const line of kept) t.strictSame(await rows(`${head}${line}\nA-2,22-2,roof,open\n`), ['ok', 'ok'], line)
})

test('the mark that ends a file of DOS is no row', async t => {
  for (const end of ['\n\x1a', '\n\x1a\n', '\r\n\x1a\r\n'])
    t.equal((await rowsOf(`${HEADER}1,2,3${end}`)).length, 1, JSON.stringify(end))
  t.equal((await rowsOf(`${HEADER}1,2,3\n\x1a4,5,6\n`)).length, 2, 'with anything else on its line')
})
