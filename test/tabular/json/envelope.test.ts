import { test } from 'tap'
import { detectFormat } from '../../../src/tabular/detect-format.ts'
import { formatOf, knownColumn, rowsOf, splitAll } from '../read-all.ts'

const PERMIT = '{"permit_number":"P-1","status":"open","address":"9 Elm St"}'
const FEATURE = `{"type":"Feature","properties":${PERMIT},"geometry":{"type":"Point","coordinates":[1,2]}}`

/** Objects that hold a list: how many rows come of each, or why it is held whole. */
const ENVELOPES: readonly [string, string, number | RegExp][] = [
  ['data', `{"data":[${PERMIT},${PERMIT}]}`, 2],
  ['data with paging around', `{"meta":{"page":1,"tags":["a"]},"data":[${PERMIT}],"links":{"next":null},"total":1}`, 1],
  ['results', `{"count":2,"next":null,"results":[${PERMIT},${PERMIT}]}`, 2],
  ['a name of its own', `{"open_permits":[${PERMIT},${PERMIT}],"as_of":"2026-06-30"}`, 2],
  ['some members around it that columns are called like', `{"status":"ok","data":[${PERMIT},${PERMIT}]}`, 2],
  ['features of a map', `{"type":"FeatureCollection","name":"permits","features":[${FEATURE},${FEATURE}]}`, 2],
  ['features with attributes', `{"fields":["a"],"features":[{"attributes":${PERMIT},"geometry":{"x":1}}]}`, 1],
  ['a list whose first record is broken', `{"data":[{"permit_number":NaN},${PERMIT}]}`, 2],
  ['names that nobody knows', '{"data":[{"x":1},{"x":2}]}', 2],
  [
    'objects in an object',
    `{"response":{"status":"ok","data":{"open":[${PERMIT},${PERMIT}]},"took":1},"v":[{"x":1}]}`,
    /“open” and “v”/
  ],
  ['two objects around', `{"d":{"results":[${PERMIT},${PERMIT}],"__next":"u"}}`, 2],
  ['three objects around', `{"response":{"data":{"open":[${PERMIT},${PERMIT}],"n":2},"took":1},"v":["x"]}`, 2],
  ['found documents', `{"took":1,"hits":{"total":{"value":1},"hits":[{"_id":"a","_source":${PERMIT}}]}}`, 1],
  ['a list in an object beside the records', `{"data":[${PERMIT}],"paging":{"pages":[{"page":1}]}}`, 1],
  [
    'records in an object beside the records',
    `{"active":[${PERMIT}],"archive":{"permits":[${PERMIT}]}}`,
    /“active” and “permits”/
  ],
  [
    'records in an object before the records',
    `{"old":{"permits":[${PERMIT}]},"records":[${PERMIT}]}`,
    /“records” and “permits”/
  ],
  [
    'counts in an object beside the records',
    `{"data":[${PERMIT}],"facets":{"status":[{"status":"open","count":1}]}}`,
    1
  ],
  ['two lists in objects', `{"a":{"open":[${PERMIT}]},"b":{"old":[${PERMIT}]}}`, /“open” and “old”/],
  [
    'what the columns are',
    `{"fields":[{"name":"A","type":"esriFieldTypeOID"}],"features":[{"attributes":${PERMIT}}]}`,
    1
  ],
  ['what the columns are, behind', `{"features":[{"attributes":${PERMIT}}],"fields":[{"name":"A","type":"x"}]}`, 1],
  ['rows that are lists', `{"meta":{"view":{"columns":[{"id":1,"name":"Permit"}]}},"data":[["a",1]]}`, 1],
  ['one record with lists in objects', `{"permit":${PERMIT.slice(0, -1)},"people":{"all":[{"applicant":"Ida"}]}}}`, 1],
  ['an empty list', '{"count":0,"permits":[]}', /FILE_EMPTY/],
  ['an empty list of a record', `${PERMIT.slice(0, -1)},"contacts":[]}`, 1],
  ['one record that has a list', `${PERMIT.slice(0, -1)},"contacts":[{"applicant":"Ida"},{"applicant":"Jan"}]}`, 1],
  ['one record whose list nobody knows', `{"x":1,"parts":[{"y":1},{"y":2}]}`, 1],
  ['records on lines that have lists', `{"x":1,"data":[{"y":1}]}\n{"x":2,"data":[{"y":1}]}\n`, 2],
  ['two lists', `{"data":[${PERMIT}],"old":[${PERMIT}]}`, /“data” and “old”/],
  ['a list before the records', `{"errors":[{"x":1}],"records":[${PERMIT}]}`, /“errors” and “records”/],
  ['a list behind the data', `{"data":[${PERMIT}],"errors":[{"x":1}]}`, /“data” and “errors”/],
  ['lists of no objects', `{"columns":["a","b"],"data":[["a",1]]}`, 1]
]

for (const [what, text, expected] of ENVELOPES) {
  test(`an object around a list: ${what}`, async t => {
    const decision = detectFormat(Buffer.from(text), { whole: true, knownColumn })
    if (typeof expected === 'number') t.equal((await rowsOf(text)).length, expected)
    else if (decision.ok) t.match((await rowsOf(text)).at(-1)?.fault, { code: 'ROW_UNPARSABLE', detail: expected })
    else t.match(`${decision.fault.code} ${decision.fault.detail}`, expected)
  })
}

test('a second list of objects far behind the first, beyond what is looked at, is held with what follows', async t => {
  const bytes = Buffer.from(`{"data":[${`${PERMIT},`.repeat(30_000)}${PERMIT}],"n":1,"old":[${PERMIT}]}`)
  const { rows } = await splitAll(bytes, formatOf(bytes.subarray(0, 1e6), { whole: false }))
  t.equal(rows.length, 30_002)
  t.match(rows.at(-1), { fault: { code: 'ROW_UNPARSABLE', detail: /another list of objects/ } })
  t.match(rows.at(-1)?.source, /P-1/)
})
