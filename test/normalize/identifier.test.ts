import { test } from 'tap'
import { isPlainIdentifier, readIdentifier } from '../../src/normalize/identifier.ts'
import { NEUTRAL, summary } from './summary.ts'

const cell = (raw: string) => summary(readIdentifier(raw, { ...NEUTRAL, source: 'cell' }))
const json = (raw: string) => summary(readIdentifier(raw, { ...NEUTRAL, source: 'json' }))

test('identifiers stay the text they are', async t => {
  const kept = [
    '007', '0042-17', '22-118', 'BP-2024-0001', '417550918260034561', '860914e1', '1E5', '12E', '3-JAN-CDE', 'MAR-12-0345', 'MAR-12', 'jan-03',
    'JAN-0042', 'DEC-2024-01', '10-20-30', '2024-0001', '16-3.0-05', '5.12', '1.0.2', '1/3', '12/2024', '0-1', '00A', 'A.0',
    'May-Flower', '100200300400500600700'
  ] // biome-ignore format: a list
  for (const raw of kept) t.equal(cell(raw), raw)
  t.equal(cell('  22 118 '), '22 118', 'white space is folded')
  t.equal(json('417550918260034561'), '417550918260034561 COERCED_TO_STRING')
})

test('what programs made of identifiers is held, and never turned back', async t => {
  const damaged: [string, string][] = [
    ['1.23E+05', 'null ID_NUMERIC_COERCED'],
    ['1,23E+05', 'null ID_NUMERIC_COERCED'],
    ['7.40266e12', 'null ID_NUMERIC_COERCED'],
    ['2E+13', 'null ID_NUMERIC_COERCED'],
    ['22118.0', 'null ID_NUMERIC_COERCED {22118}'],
    ['22118.00', 'null ID_NUMERIC_COERCED {22118}'],
    ['3-Jan', 'null ID_NUMERIC_COERCED'],
    ['Jan-03', 'null ID_NUMERIC_COERCED'],
    ['14-Mar-2024', 'null ID_NUMERIC_COERCED'],
    ['2024-03-14 00:00:00', 'null ID_NUMERIC_COERCED'],
    ['3/14/2024', 'null ID_NUMERIC_COERCED'],
    ['3/14/2024 0:00', 'null ID_NUMERIC_COERCED']
  ]
  for (const [raw, is] of damaged) t.equal(cell(raw), is, raw)
  t.equal(json('22118.0'), 'null ID_NUMERIC_COERCED {22118}')
  for (const raw of ['1e3', '1.5e3', '860914e1', '12E-4'])
    t.equal(json(raw), 'null ID_NUMERIC_COERCED', `${raw} as a number`)
  t.equal(summary(readIdentifier('3-Jan', NEUTRAL)), '3-Jan', 'only in data files')
})

test('a number cut to the digits of a spreadsheet or of a float is held with what is left of it', async t => {
  for (const raw of ['12345678901234500', '417550918260034000', '-12345678901234500', '100000000000000000000']) {
    t.equal(cell(raw), `null ID_NUMERIC_COERCED {${raw}}`)
    t.equal(json(raw), `null ID_NUMERIC_COERCED {${raw}}`)
    t.equal(isPlainIdentifier(raw), false, 'no shorter way takes it')
    t.equal(summary(readIdentifier(raw, NEUTRAL)), raw, 'a document has no such cells')
  }
  t.equal(json('123456789012345680'), 'null ID_NUMERIC_COERCED {123456789012345680}', 'of a float')
  for (const raw of [
    '1234567890123400',
    '123456789012345680',
    '00424327050000100',
    '12345678901234501',
    '123-456789012345-00'
  ])
    t.equal(cell(raw), raw)
})

test('what stands for no identifier is told from a blank', async t => {
  for (const raw of [
    'TBD',
    '-',
    '--',
    '.',
    '?',
    '#N/A',
    '#REF!',
    'unknown',
    'NaN',
    '<NA>',
    '0',
    '000',
    '00-000-0000',
    '0.0'
  ]) {
    t.equal(cell(raw), 'null PLACEHOLDER', raw)
  }
  for (const raw of ['N/A', 'none', 'n.a.', 'Nil']) t.equal(cell(raw), 'null EXPLICIT_NONE', raw)
  for (const raw of ['', ' ', '\t']) t.equal(cell(raw), 'null', JSON.stringify(raw))
  t.equal(json('0'), 'null PLACEHOLDER')
})

test('a number as programs show it, and one that lost the zeros at its end, is held', async t => {
  for (const raw of ['1,234', '12,345', '1,234,567', '123,456,789,012'])
    t.equal(cell(raw), `null ID_NUMERIC_COERCED {${raw.replaceAll(',', '')}}`, raw)
  for (const raw of ['12,34', '0,123', '1,2345', '12,345A', 'A1,234']) t.equal(cell(raw), raw)
  for (const raw of ['12.1', '1234.05']) t.equal(json(raw), `null ID_NUMERIC_COERCED {${raw}}`)
  t.equal(cell('12.1'), '12.1', 'a text is as it was written')
})

test('the mark that makes a number text is no part of it', async t => {
  t.equal(cell("'0012345"), '0012345 HIDDEN_CHARACTERS')
  t.equal(cell("'22-118"), '22-118 HIDDEN_CHARACTERS')
  t.match(cell("'1.2E+11"), /^null ID_NUMERIC_COERCED/)
  for (const raw of ["'A'12", "O'1", "'"]) t.equal(cell(raw), raw)
  t.equal(summary(readIdentifier("'0012", NEUTRAL)), "'0012", 'only in data files')
})

test('words where one identifier was asked for are none', async t => {
  for (const raw of [
    'Multiple',
    'VARIOUS',
    'pending',
    'not assigned',
    'See list',
    'undefined',
    'FALSE',
    'True',
    'ditto'
  ])
    t.equal(cell(raw), 'null PLACEHOLDER', raw)
  for (const raw of ['PENDING-12', 'Variousville', 'EX-1', 'N', 'NO-7', 'YES7']) t.equal(cell(raw), raw)
})

test('several identifiers in one cell are several', async t => {
  t.equal(cell('123-45-678; 123-45-679'), 'null MULTIPLE_CANDIDATES {123-45-678|123-45-679}')
  t.equal(cell('B-2024-0001 / B-2024-0002'), 'null MULTIPLE_CANDIDATES {B-2024-0001|B-2024-0002}')
  t.equal(cell('0275B/054'), '0275B/054', 'block and lot')
  for (const raw of [
    '0123000045,0123000046',
    '0275B054 & 0275B055',
    '12-1178|12-1179|12-1180',
    'R12345, R12346',
    '123-45-678\n123-45-679',
    '1234\r\n1235',
    '1234 and 1235'
  ])
    t.match(cell(raw), /^null MULTIPLE_CANDIDATES/, raw)
  for (const raw of ['LOT 4, BLK 2', '12, 14', 'AB;C', '1234,56', 'BP-1 and more', 'A & B', '1234/1235'])
    t.equal(cell(raw), raw)
})

test('characters that cannot be seen are no part of an identifier; raw keeps them', async t => {
  for (const raw of [
    'BP\u200b-7',
    '\ufeffBP-7',
    'BP\u00ad-7',
    '\u202aBP-7\u202c',
    'BP-\u20607',
    'BP-7\u200e',
    'BP-7\ufe0f'
  ]) {
    t.equal(cell(raw), 'BP-7 HIDDEN_CHARACTERS', JSON.stringify(raw))
  }
  t.equal(cell('007\u200b'), '007 HIDDEN_CHARACTERS')
  t.equal(cell('\u200b\u2060'), 'null', 'nothing that can be seen')
  for (const damaged of ['1.70312E+13', '3-Jan', '22118.0'])
    t.match(cell(`${damaged}\u200b`), /^null ID_NUMERIC_COERCED/, 'what was damaged stays damaged')
  for (const turned of ['BP-\u202e7001', '\u2067BP-7001\u2069', '\u202bBP-7001\u202c', '\u202dBP-7001']) {
    t.equal(cell(turned), 'null FIELD_INVALID', `shown in another order ${JSON.stringify(turned)}`)
  }
})
