import t from 'tap'
import { parseEntry } from '../../../../src/audit/verify/chain/parse-entry.ts'
import type { Json } from '../../../../src/model/json.ts'
import { canonicalJson } from '../../../../src/model/json.ts'

const ENTRY: Record<string, Json> = {
  actor: 'key:clerk',
  batch: 'b',
  commit: 'c',
  detail: { corrected: ['naïve'], version: 12 },
  form: 1,
  idempotency_key: '00',
  jurisdiction: '53033',
  kind: 'record',
  manifest: 'permit@1+00000000',
  previous: null,
  reasons: [],
  seq: 1,
  subject: 's',
  transitions: [['received', '2025-06-01T12:00:00.000001Z']]
}
const read = (text: string) => parseEntry(Buffer.from(text))
const TEXT = canonicalJson(ENTRY)

t.test('an entry as it is written', async t => {
  t.match(read(TEXT), {
    batch: 'b',
    jurisdiction: '53033',
    idempotencyKey: '00',
    previous: null,
    detail: { version: 12 },
    transitions: [['received', '2025-06-01T12:00:00.000001Z']]
  })
  const { detail: _detail, idempotency_key: _key, ...least } = ENTRY
  t.match(read(canonicalJson(least)), { detail: {}, idempotencyKey: null })
  t.ok(read(canonicalJson({ ...ENTRY, detail: { '10': 1, '9': 1 } })), 'members in an order that objects do not keep')
})

t.test('any other spelling of the same entry is not one', async t => {
  const spellings = {
    'white space': TEXT.replace(',', ', '),
    'an end of line': `${TEXT}\n`,
    'a byte order mark': `\ufeff${TEXT}`,
    'a fraction': TEXT.replace('"version":12', '"version":12.0'),
    'an exponent': TEXT.replace('"version":12', '"version":1.2e1'),
    'a needless escape': TEXT.replace('key:clerk', 'key\\u003aclerk'),
    'a member twice': TEXT.replace('"form":1', '"form":1,"form":1'),
    'members out of order': TEXT.replace('"actor":"key:clerk","batch":"b"', '"batch":"b","actor":"key:clerk"'),
    'members of a detail out of order': TEXT.replace(/"detail":\{(.*?),("version":12)\}/, '"detail":{$2,$1}')
  }
  for (const [name, text] of Object.entries(spellings)) {
    t.not(text, TEXT)
    t.equal(read(text), undefined, name)
  }
})

t.test('what is no entry at all', async t => {
  const others: Record<string, Json>[] = [
    { ...ENTRY, seq: '1' },
    { ...ENTRY, detail: [] },
    { ...ENTRY, previous: 1 },
    { ...ENTRY, idempotency_key: 1 },
    { ...ENTRY, transitions: [] },
    { ...ENTRY, transitions: [['received']] },
    { ...ENTRY, transitions: [['received', '2025-06-01']] }
  ]
  for (const other of others) t.equal(read(canonicalJson(other)), undefined, canonicalJson(other))
  for (const name of ['batch', 'jurisdiction', 'kind', 'seq', 'subject', 'previous', 'transitions']) {
    const { [name]: _left, ...rest } = ENTRY
    t.equal(read(canonicalJson(rest)), undefined, `without ${name}`)
  }
  for (const text of ['', '{', '[]', 'null', '1', `${'['.repeat(200_000)}${']'.repeat(200_000)}`]) {
    t.equal(read(text), undefined, text.slice(0, 5))
  }
  t.equal(parseEntry(Buffer.from([0xff, 0xfe])), undefined, 'bytes that are no text')
})
