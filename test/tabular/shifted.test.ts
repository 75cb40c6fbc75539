import { test } from 'tap'
import { ForeignRows } from '../../src/tabular/delimited/no-records/foreign-rows.ts'
import { firstPosition, settledFormat } from '../../src/tabular/split-file.ts'
import { formatOf, outline, readChunk, rowsOf, splitAll } from './read-all.ts'

/** Bodies under these columns in which a cell could slip under another column's name without a fault of its own. */
const HEADER = 'permit_number,parcel_id,valuation,applicant\n'

const PADDED: readonly [string, string, readonly string[]][] = [
  [
    'an unquoted comma in an amount, the last cell empty',
    `${HEADER}a,b,1,200,\nc,d,5,e\n`,
    ['1 2 COLUMN_COUNT_MISMATCH', '2 3 ok']
  ],
  ['the same in the only row', `${HEADER}a,b,1,200,\n`, ['1 2 COLUMN_COUNT_MISMATCH']],
  [
    'the same where all rows end with a comma',
    `${HEADER}a,b,1,200,,\nc,d,5,e,\nf,g,5,h,\ni,j,5,k,\n`,
    ['1 2 COLUMN_COUNT_MISMATCH', '2 3 ok', '3 4 ok', '4 5 ok']
  ],
  [
    'the same under a header that ends with commas',
    `${HEADER.trim()},,\na,b,1,200,,,\nc,d,5,e,,\n`,
    ['1 2 COLUMN_COUNT_MISMATCH', '2 3 ok']
  ],
  ['one row under a header that ends with a comma', `${HEADER.trim()},\na,b,5,c,\n`, ['1 2 ok']],
  ['rows without the header’s last comma', `${HEADER.trim()},\na,b,5,c\nd,e,6,f\n`, ['1 2 ok', '2 3 ok']],
  ['every row ends with a comma', `${HEADER}a,b,5,c,\nd,e,6,f,\n`, ['1 2 ok', '2 3 ok']]
]

for (const [what, body, expected] of PADDED) {
  test(`empty cells behind the last column: ${what}`, async t => t.strictSame(outline(await rowsOf(body)), expected))
}

test('cells quoted behind a space lose their quote marks, other cells nothing', async t => {
  const rows = await rowsOf(`${HEADER}a, "007", 5, "b, ""c"""\nd,"008" ,6,"e\n, f"\n`)
  t.strictSame(
    rows.map(row => row.values),
    [
      ['a', '007', ' 5', 'b, "c"'],
      ['d', '008', '6', 'e\n, f']
    ]
  )
})

test('one cell quoted behind a space in a file that does not quote so holds its row', async t => {
  const rows = await rowsOf(`${HEADER}${'a,"b",5,"c"\n'.repeat(600)}d, "007",6,e\n`)
  t.strictSame(outline(rows.filter(row => row.fault)), ['601 602 ROW_UNPARSABLE'])
})

test('a row that was swallowed by two stray quote marks is not lost, though the cells add up', async t => {
  const body = 'P-1,7,100,x\nP-2,8,",200\nP-3,9,3 rear",z\nP-4,9,300,w\n'
  const rows = await rowsOf(HEADER + body)
  t.strictSame(outline(rows), ['1 2 ok', '2 3 UNCLOSED_QUOTE', '3 4 ROW_UNPARSABLE', '4 5 ok'])
  const [note] = await rowsOf(`${HEADER}P-1,7,100,"Paid in parts:\n2024, 50, and\n2025, 50"\n`)
  t.equal(note?.fault, undefined, 'lines of another shape are text')
})

test('rows that add up others are held, also when they have a cell for each column; names that begin so are not', async t => {
  const body = `P-1,7,100,Total Roofing LLC\nP-2,8,200,Totals Ltd\nGrand Total:,2,300,\n,Total,300,\nTotal 2,,300,\n`
  t.strictSame(outline(await rowsOf(HEADER + body)), [
    '1 2 ok',
    '2 3 ok',
    '3 4 ROW_UNPARSABLE',
    '4 5 ROW_UNPARSABLE',
    '5 6 ROW_UNPARSABLE'
  ])
})

test('a table of summaries below a blank line is held, though as wide as the file', async t => {
  const records = Array.from({ length: 5 }, (_, row) => `P-${row},7${row},1${row}0,Ida Novak\n`).join('')
  const rows = await rowsOf(`${HEADER}${records}\nStatus,Count,Share,Remark\nopen,3,60%,\nshut,2,40%,\n`)
  t.strictSame(outline(rows.slice(5)), ['6 8 ROW_UNPARSABLE', '7 9 ROW_UNPARSABLE', '8 10 ROW_UNPARSABLE'])
  t.equal(rows[7]?.fault?.detail, 'under the header on line 8')
  const longer = await rowsOf(`${HEADER}${records}\nStatus,Count,Share,Remark\n${'open,3,60%,\n'.repeat(20)}`)
  t.equal(longer.filter(row => row.fault).length, 21, 'also when the second table is the longer one')
  const goingOn = await rowsOf(`${HEADER}${records}\n${records}`)
  t.equal(goingOn.filter(row => row.fault).length, 0, 'a blank line between records ends nothing')
})

const SWAPPED = 'permit_number,parcel_id,applicant,valuation\n'
const OTHER = 'Permit_Number,PARCEL ID,valuation,owner\n'
const AGAIN = '\ufeffpermit_number,parcel_id,valuation,applicant\n'

const STACKED: readonly [string, string, readonly string[]][] = [
  [
    'columns in another order',
    `${HEADER}a,b,5,c\n${SWAPPED}d,e,f,6\ng,h,i,7\n`,
    ['1 2 ok', '2 3 ROW_UNPARSABLE', '3 4 ROW_UNPARSABLE', '4 5 ROW_UNPARSABLE']
  ],
  [
    'another column of its own, then the first header again',
    `${HEADER}a,b,5,c\n${OTHER}d,e,6,f\n${AGAIN}g,h,7,i\n`,
    ['1 2 ok', '2 3 ROW_UNPARSABLE', '3 4 ROW_UNPARSABLE', '4 6 ok']
  ],
  [
    'more columns',
    `${HEADER}a,b,5,c\npermit_number,parcel_id,note,valuation,applicant\nd,e,n,6,f\n`,
    ['1 2 ok', '2 3 ROW_UNPARSABLE', '3 4 ROW_UNPARSABLE']
  ],
  ['the same header behind a byte order mark', `${HEADER}a,b,5,c\n${AGAIN}d,e,6,f\n`, ['1 2 ok', '2 4 ok']],
  ['a row that holds two column names', `${HEADER}a,valuation,5,applicant\nd,e,6,f\n`, ['1 2 ok', '2 3 ok']]
]

for (const [what, body, expected] of STACKED) {
  test(`files put behind each other: ${what}`, async t => t.strictSame(outline(await rowsOf(body)), expected))
}

test('a chunk knows the header that stands in an earlier one, also after an interruption', async t => {
  const part = (from: number): string => Array.from({ length: 7 }, (_, row) => `n${from + row},p,5,q\n`).join('')
  const bytes = Buffer.from(HEADER + part(0) + SWAPPED + part(10) + AGAIN + part(20) + OTHER + part(30))
  const format = formatOf(bytes)
  const faults = outline((await splitAll(bytes, format)).rows)
  t.equal(faults.filter(line => line.endsWith('ok')).length, 14)
  for (const records of [1, 3, 7, 8]) {
    const bounds = { records, bytes: 1e6 }
    const { chunks } = await splitAll(bytes, format, { bounds, blockBytes: 64 })
    const ends = chunks.map(chunk => chunk.next)
    const end = ends.at(-1) ?? firstPosition(format)
    const read: string[] = []
    for (const chunk of chunks) read.push(...outline(await readChunk(bytes, settledFormat(format, end), chunk)))
    t.strictSame(read, faults, `chunks of ${records}`)
    for (const from of ends.slice(0, -1)) {
      const rest = await splitAll(bytes, format, { bounds, from })
      t.strictSame(rest.chunks.at(-1)?.next, end, `from row ${from.row}`)
      t.strictSame(outline(rest.rows), faults.slice(from.row - 1), `rows from ${from.row}`)
    }
  }
})

test('a file that changes its header on and on stays foreign in the end', t => {
  const rows = new ForeignRows()
  for (let line = 2; line < 1000; line += 2) {
    rows.meet(line, false)
    rows.meet(line + 1, true)
  }
  t.ok(rows.lines.length <= 101)
  t.equal(rows.headerOf(5000), rows.lines.at(-1))
  t.equal(rows.headerOf(2), null)
  t.equal(rows.headerOf(3), 2)
  t.end()
})

const SWALLOWED: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'closed by accident in the same column of the next row',
    'A1,7,1,"x\nA2,8,2,y"\nA3,9,3,z\n',
    ['1 2 UNCLOSED_QUOTE', '2 3 ROW_UNPARSABLE', '3 4 ok']
  ],
  [
    'closed two rows below',
    'A1,7,1,"x\nA2,8,2,w\nA3,9,3,y"\nA4,9,3,z\n',
    ['1 2 UNCLOSED_QUOTE', '2 3 ok', '3 4 ROW_UNPARSABLE', '4 5 ok']
  ],
  [
    'closed by another that is never closed either',
    'A1,7,1,"x\nA2,8,2,"w\nA3,9,3,z\n',
    ['1 2 UNCLOSED_QUOTE', '2 3 UNCLOSED_QUOTE', '3 4 ok']
  ],
  [
    'closed in a row whose second cell the mark has cut',
    'A-1,7-1,"x\nA-2,7hi""","y",2\nA-3,9-3,3,z\n',
    ['1 2 UNCLOSED_QUOTE', '2 3 ROW_UNPARSABLE', '3 4 ok']
  ],
  [
    'in a record that has a cell too many, above a line that has one too few',
    'A-1,7,"1, 5","x\nA-2,8y",2\nA-3,9,3,z\n',
    ['1 2 UNCLOSED_QUOTE', '2 3 ROW_UNPARSABLE', '3 4 ok']
  ],
  [
    'opened below a line break, over a row that has digits where rows have them',
    'A-1,7,1,x1\nA-2,8,2,x2\nA-3,9,3,x3\n7.00,"x\nA-4,9,3,z4\nA-5,8",2,x5\n',
    ['1 2 ok', '2 3 ok', '3 4 ok', '4 5 UNCLOSED_QUOTE', '5 6 ok', '6 7 ROW_UNPARSABLE']
  ],
  [
    'lines of a note that begin like the record and have two cells stay in their cell',
    'A-1,7,1,"see\nA-2, A-3\nA-9"\nA-2,8,2,b\n',
    ['1 2 ok', '2 5 ok']
  ],
  [
    'the first cell of a record may itself have lines',
    '"Once upon\na time",7,1,b\n"A-1\nA-2",8,2,b\n',
    ['1 2 ok', '2 4 ok']
  ],
  [
    'the second cell of a record may itself have lines',
    'Smith,"Once\nJones, again, and, again",1,b\nA-1,"see\nA-2, and A-3",2,b\n',
    ['1 2 ok', '2 4 ok']
  ],
  [
    'lines of a note that have as many commas as a row stay in their cell',
    'A-1,7,1,"wood\nglass, steel, brick, tile\nslate"\nA-2,8,2,b\n',
    ['1 2 ok', '2 5 ok']
  ],
  [
    'lines of a note that are no rows stay in their cell',
    'A1,7,1,"first line\nsecond, with a comma\nthird"\nA2,8,2,b\n',
    ['1 2 ok', '2 5 ok']
  ]
]
for (const [what, body, expected] of SWALLOWED) {
  test(`a quote mark that is not closed swallows no row: ${what}`, async t =>
    t.strictSame(outline(await rowsOf(HEADER + body)), expected))
}
