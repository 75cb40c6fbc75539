import t from 'tap'
import { canonicalParcel } from '../../../src/normalize/codes/parcel.ts'
import { parcelKeys, schemeOfMask } from '../../../src/normalize/codes/parcel-mask.ts'
import { parcelSchemeOf } from '../../../src/normalize/codes/parcel-schemes.ts'

const summary = (text: string, scheme: Parameters<typeof canonicalParcel>[1] | null): string => {
  const reading = scheme ? canonicalParcel(text, scheme) : null
  return reading ? [reading.value, ...reading.flags].join(' ') : 'unmet'
}
const known = (jurisdiction: string) => (text: string) => summary(text, parcelSchemeOf(jurisdiction))

t.test('counties whose form is known', async t => {
  const cook = known('17031')
  t.equal(cook('17-03-123-045-0000'), '17031230450000')
  t.equal(cook('17 03 123 045 1002'), '17031230451002')
  t.equal(cook('17-03-123-045'), '17031230450000 SUFFIX_DEFAULTED')
  t.equal(cook('17-3-123-45-0'), 'unmet', 'short parts are not filled where that was never the custom')
  t.equal(cook('17-03-123-04-5'), 'unmet', 'five parts have a suffix already')
  t.equal(cook('1.70312E+13'), 'unmet')
  const newYork = known('3651000')
  t.equal(newYork('1-00123-0045'), '1001230045')
  t.equal(newYork('1-123-45'), '1001230045 ZERO_PADDED')
  t.equal(newYork('6-00123-0045'), 'unmet', 'there are five boroughs')
  t.equal(newYork('1-123456-45'), 'unmet')
  const sanFrancisco = known('06075')
  t.equal(sanFrancisco('0275B/054'), '0275B054')
  t.equal(sanFrancisco('0275b 054'), '0275B054')
  t.equal(sanFrancisco('576-26'), '0576026 ZERO_PADDED')
  t.equal(sanFrancisco('57626'), 'unmet', 'where the block ends cannot be told')
  t.equal(known('06037')('5043-018-025'), '5043018025')
  t.equal(known('48201')('0420590010014'), '0420590010014')
  t.equal(known('48201')('420590010014'), 'unmet', 'a lost zero is not put back')
  t.equal(known('53033')('22-118'), 'unmet')
})

t.test('a mask of an office', async t => {
  const maricopa = schemeOfMask('###-##-###@?')
  t.equal(summary('123-45-678', maricopa), '12345678')
  t.equal(summary('123-45-678a', maricopa), '12345678A')
  t.equal(summary('123-45-6789', maricopa), 'unmet')
  const suffixed = schemeOfMask('##-###-##', { suffix: '00', padsGroups: true })
  t.equal(summary('12-345', suffixed), '1234500 SUFFIX_DEFAULTED')
  t.equal(summary('1-345-7', suffixed), '0134507 ZERO_PADDED')
  for (const mask of ['', '?##', '##??', 'abc', '#'.repeat(70), '(##)']) t.equal(schemeOfMask(mask), null, mask)
  t.equal(schemeOfMask('##', { suffix: '000' }), null)
  t.equal(schemeOfMask('#?'.repeat(28)), null, 'a number that fits nowhere is tried in every way')
  t.equal(summary(`${'1'.repeat(9)}x`, schemeOfMask('##-##-#?#?#?#?#?#?')), 'unmet')
  t.equal(summary('12-34-567', schemeOfMask('##-##-#?#?#?#?#?#?')), '1234567')
})

t.test('keys to look up by, the surest first and none twice', async t => {
  const cook = parcelSchemeOf('17031')
  t.same(parcelKeys('17-03-123-045', '17031230450000', cook), ['17031230450000', '17-03-123-045', '17-03-123-045-0000'])
  t.same(parcelKeys('17031230450000', '17031230450000', cook, { withoutSuffix: true }), [
    '17031230450000',
    '17-03-123-045-0000',
    '1703123045'
  ])
  t.same(parcelKeys('17031230451002', '17031230451002', cook, { withoutSuffix: true }), [
    '17031230451002',
    '17-03-123-045-1002'
  ])
  t.same(parcelKeys('22.118 b', '22.118 b', null), ['22.118 b', '22-118-B'])
  t.same(parcelKeys('22.118', '22.118', null, { pairs: { '22-118': '22-900' } }), ['22.118', '22-118', '22-900'])
  t.same(parcelKeys('0275B/054', '0275B054', parcelSchemeOf('06075')), ['0275B054', '0275B/054'])
})

t.test('two numbers whose digits are parted elsewhere are two parcels', async t => {
  for (const [one, other] of [
    ['2-21', '22-1'],
    ['2 21', '221'],
    ['12/3/45', '1/23/45']
  ] as const) {
    const keys = parcelKeys(one, one, null)
    t.notOk(
      parcelKeys(other, other, null).some(key => keys.includes(key)),
      `${one} and ${other}`
    )
  }
  t.same(parcelKeys('22-118', '22-118', null), ['22-118'])
})
