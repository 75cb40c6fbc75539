import tap from 'tap'
import { readBoolean } from '../../src/normalize/codes/boolean.ts'
import { readParcel } from '../../src/normalize/codes/parcel.ts'
import { identifierKey, readIdentifier } from '../../src/normalize/identifier.ts'
import { readNames } from '../../src/normalize/parties/person-name.ts'
import { addressKey } from '../../src/normalize/places/address.ts'
import { readZip } from '../../src/normalize/places/zip.ts'
import { foldText, isPlaceholder, naturalKeyPart, readText } from '../../src/normalize/text.ts'
import { Random, testSeed } from './properties/random.ts'
import { NEUTRAL, summary, US } from './summary.ts'

const seed = testSeed()
tap.comment(`seed ${seed}`)

tap.test('words are kept and white space is folded', async t => {
  const rows: [string, string][] = [
    ['  Ana\u00a0 María\tO’Neil \r\n', 'Ana María O’Neil'],
    ['ﬁne ½ ™', 'ﬁne ½ ™'],
    ['é', 'é'],
    ['Nathan', 'Nathan'],
    ['Unknown Soldier Memorial', 'Unknown Soldier Memorial'],
    ['Replace **** sign', 'Replace **** sign'],
    ['A\u200bB', 'A\u200bB HIDDEN_CHARACTERS'],
    ['a\u202eb', 'a\u202eb HIDDEN_CHARACTERS'],
    ['\ufeffA\ufeffB\ufeff', 'A\ufeffB HIDDEN_CHARACTERS'],
    ['TBD', 'null PLACEHOLDER'],
    ['#N/A', 'null PLACEHOLDER'],
    ['n/a', 'null EXPLICIT_NONE'],
    ['______', 'null UNFILLED_BLANK'],
    ['███████', 'null REDACTED'],
    ['XXXXXX XXXXX & COMPANY', 'null REDACTED'],
    ['****1234', 'null REDACTED'],
    ['\u3000', 'null']
  ]
  for (const [raw, is] of rows) t.equal(summary(readText(raw)), is, JSON.stringify(raw))
  t.equal(isPlaceholder('TBD'), true)
  t.equal(isPlaceholder(''), false)
  t.equal(isPlaceholder('Tbdale'), false)
})

tap.test('folding twice folds nothing more', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 5000; run += 1) {
    const raw = random.text('aAßẞİıΣςéﬁǅ \u00a0\t\u3000\u200b\u034f\u0301\u3164\u2011\u2212\ufeff\u0007-1①Ⅳ', 10)
    if (foldText(foldText(raw)) !== foldText(raw)) t.fail(JSON.stringify(raw))
    if (naturalKeyPart(naturalKeyPart(raw)) !== naturalKeyPart(raw)) t.fail(JSON.stringify(raw))
  }
  t.pass(`seed ${seed}`)
  t.equal(naturalKeyPart('  Straße  ＡＢ１ '), naturalKeyPart('STRASSE ab1'))
  t.not(naturalKeyPart('P-1'), naturalKeyPart('P1'))
})

tap.test('identifiers stay text', async t => {
  const rows: [string, string][] = [
    ['0420590010014', '0420590010014'],
    ['000123', '000123'],
    ['860914e1', '860914e1'],
    ['1E5', '1E5'],
    ['1.70312E+13', 'null ID_NUMERIC_COERCED'],
    ['1,70312E+13', 'null ID_NUMERIC_COERCED'],
    ['2E+13', 'null ID_NUMERIC_COERCED'],
    ['1.5e10', 'null ID_NUMERIC_COERCED'],
    ['12345678901234567890123', '12345678901234567890123'],
    [' BLD  7 ', 'BLD 7'],
    ['XXXX-1234', 'null REDACTED'],
    ['x'.repeat(300), 'null FIELD_INVALID']
  ]
  for (const [raw, is] of rows) t.equal(summary(readIdentifier(raw, US)), is, raw.slice(0, 30))
  t.equal(
    summary(readIdentifier('9007199254740993', { ...NEUTRAL, source: 'json' })),
    '9007199254740993 COERCED_TO_STRING'
  )
  t.equal(identifierKey('bks (21) 57-47'), 'BKS215747')
})

tap.test('parcels without a known or met format stay as written', async t => {
  t.equal(summary(readParcel('77-001', '53033')), '77-001 PARCEL_FORMAT_UNUSUAL')
  t.equal(summary(readParcel('77-001', '99999')), '77-001')
  t.equal(summary(readParcel('123-45-678a', '04013')), '12345678A')
  t.equal(summary(readParcel('0420590010014', '48201')), '0420590010014')
  t.equal(summary(readParcel('N/A', '48201')), 'null EXPLICIT_NONE')
})

tap.test('a value longer than its reader takes is refused, not cut', async t => {
  const padded = (raw: string) => `${raw}${'.'.repeat(3000)}`
  t.equal(summary(readBoolean(`yes${' '.repeat(3000)}`)), 'null FIELD_INVALID')
  t.equal(summary(readZip(padded('94109'))), 'null FIELD_INVALID')
  t.same(readNames(padded('SMITH, JOHN')).names, [])
})

tap.test('names and addresses', async t => {
  t.same(readNames('JONES, SMITH & PARTNERS').names, ['JONES, SMITH & PARTNERS'])
  t.same(readNames('ACME WIDGETS, INC.').names, ['ACME WIDGETS, INC.'])
  t.same(readNames('José Núñez').names, ['José Núñez'])
  t.equal(addressKey('233 S. Wacker Dr., Ste 4600, Chicago, IL 60606'), '233 S WACKER DR STE 4600 CHICAGO IL 60606')
  t.equal(
    addressKey('233 South Wacker Drive Suite 4600, Chicago, Illinois 60606'),
    '233 S WACKER DR STE 4600 CHICAGO IL 60606'
  )
  t.equal(addressKey('1 Fir Ln'), '1 FIR LN')
  t.equal(addressKey('12 North St'), '12 NORTH ST', 'a street named after a direction')
})

tap.test('identifiers: what stands for an empty cell or a truth value is none, and nothing is parted', async t => {
  const json = { ...NEUTRAL, source: 'json' } as const
  for (const raw of ['nan', 'NaN', 'NAN', '<NA>', 'NaT']) {
    t.equal(summary(readIdentifier(raw, NEUTRAL)), 'null PLACEHOLDER', raw)
  }
  for (const raw of ['true', 'false']) t.equal(summary(readIdentifier(raw, json)), 'null FIELD_INVALID', raw)
  for (const raw of ['P-\ufffd', '\ufffd12', '7\ufffd7']) {
    t.equal(summary(readIdentifier(raw, NEUTRAL)), 'null ENCODING_INVALID', JSON.stringify(raw))
  }
  t.equal(summary(readIdentifier('Nantes', NEUTRAL)), 'Nantes')
  t.equal(summary(readIdentifier('TRUE', NEUTRAL)), 'TRUE')
  t.equal(summary(readIdentifier('P\ufeff-3', NEUTRAL)), 'P-3 HIDDEN_CHARACTERS')
})

tap.test('controls that nobody sees are kept and told', async t => {
  for (const raw of ['Id\u0007a', 'Ida\u001b', '\u0000Ida', 'Id\u007fa'])
    t.match(readText(raw), { value: raw, flags: ['HIDDEN_CHARACTERS'] }, JSON.stringify(raw))
  for (const raw of ['Ida Novak', 'José', '青空']) t.strictSame(readText(raw).flags, [], raw)
})

tap.test('blanks of templates hold no value', async t => {
  for (const raw of [
    '[Tenant Name]',
    '<address>',
    '{{tenant}}',
    '{name}',
    '«Tenant»',
    '[INSERT NAME HERE]',
    '<Name des Mieters>'
  ])
    t.match(readText(raw), { value: null, status: 'absent', flags: ['UNFILLED_BLANK'] }, raw)
  for (const raw of [
    '[X]',
    '[Rear] Elm St',
    '["roof"]',
    '[22-118]',
    '<b>Ida</b>',
    '{"name":"Ida"}',
    '[a] [b]',
    'Ida <owner>'
  ])
    t.equal(readText(raw).value, raw, raw)
})
