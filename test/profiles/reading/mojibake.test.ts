import { test } from 'tap'
import { mojibakeOf } from '../../../src/profiles/reading/mojibake.ts'
import { blocking, mapPermit, permitRow } from '../rows.ts'

/** As a program shows UTF-8 that it takes for windows-1252. */
const shownAs = (text: string): string => new TextDecoder('windows-1252').decode(Buffer.from(text))

test('a text that was taken for another encoding is told from one that was not', async t => {
  for (const text of [
    'José Peña',
    'Großer Weg',
    'Łucja Żak',
    'O’Neil – “Rear”',
    'Ленина',
    'Αθήνα',
    'Øresund',
    'À la carte',
    '½ acre, Señor'
  ])
    t.equal(mojibakeOf(shownAs(text)), text, shownAs(text))
  for (const text of [
    'José Peña',
    'CAFÉ® & NESTLÉ®',
    'Großer Weg',
    'Łucja Żak',
    '20° Ä',
    'Ida Novak',
    'São Paulo',
    'ÂNGELA',
    'PÃO',
    'Ã',
    '東京 Ã©'
  ])
    t.equal(mojibakeOf(text), null, text)
})

test('such a cell is held with both readings, as is every value that is not known', async t => {
  for (const [column, field] of [
    ['applicant', 'applicant_name'],
    ['address', 'site_address'],
    ['permit_type', 'permit_type_code']
  ] as const) {
    const { fields, reasons } = mapPermit(permitRow({ [column]: shownAs('1 José') }))
    t.strictSame(blocking(reasons), [`ENCODING_INVALID ${field}`], column)
    t.strictSame(fields[field]?.readings, [shownAs('1 José'), '1 José'])
  }
  t.strictSame(mapPermit(permitRow({ applicant: 'José' })).reasons, [])
})

test('controls in place of punctuation are what windows-1252 looks like when it is taken for Latin-1', async t => {
  t.equal(mojibakeOf('O\u0092Brien \u0096 \u0093Rear\u0094'), 'O’Brien – “Rear”')
  t.equal(mojibakeOf('\u0080 12'), '€ 12')
  const { reasons, fields } = mapPermit(permitRow({ applicant: 'O\u0092Brien' }))
  t.strictSame(blocking(reasons), ['ENCODING_INVALID applicant_name'])
  t.strictSame(fields['applicant_name']?.readings, ['O\u0092Brien', 'O’Brien'])
})
