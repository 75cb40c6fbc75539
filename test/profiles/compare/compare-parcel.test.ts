import t from 'tap'
import { isSameName } from '../../../src/profiles/compare/compare-names.ts'
import { compareParcel, isSameAddress } from '../../../src/profiles/compare/compare-parcel.ts'

t.test('one owner, written in two ways', async t => {
  for (const [a, b] of [
    ['Maple Grove Holdings, LLC', 'MAPLE GROVE HOLDINGS L.L.C.'],
    ['Maple Grove Holdings Limited Liability Company', 'MAPLE GROVE HOLDINGS LLC'],
    ['The Acme Company, Inc.', 'ACME CO INCORPORATED'],
    ['Smith & Sons Corp', 'SMITH AND SONS CORPORATION'],
    ['Jane A. Doe', 'DOE JANE A'],
    ['Jane Doe', 'DOE, JANE ALICE'],
    ['J. Doe', 'Doe, Jane'],
    ['José Núñez', 'NUNEZ JOSE'],
    ["O'Brien Mary", 'Mary OBrien'],
    ['City of Tacoma', 'TACOMA CITY OF'],
    ['Doe Family Trust', 'DOE FAMILY TR'],
    ['Jane Doe Jr.', 'DOE JANE']
  ] as const) {
    t.ok(isSameName(a, b), `${a} = ${b}`)
    t.ok(isSameName(b, a), `${b} = ${a}`)
  }
})

t.test('owners that are not one', async t => {
  for (const [a, b] of [
    ['Maple Grove Holdings LLC', 'Maple Grove Holdings Inc'],
    ['Maple Grove Holdings LLC', 'Maple Grove Holdings II LLC'],
    ['Maple Grove LLC', 'Oak Grove LLC'],
    ['Jane Doe', 'John Doe'],
    ['Jane Doe', 'Jane Roe'],
    ['Jane A Doe', 'Jane B Doe'],
    ['Jane Doe', 'Jane Doe LLC'],
    ['Doe', 'Jane Doe'],
    ['J D', 'Jane Doe'],
    ['Jane Doe', 'Jane Anne Mary Doe'],
    ['', 'Jane Doe']
  ] as const) {
    t.notOk(isSameName(a, b), `${a} / ${b}`)
    t.notOk(isSameName(b, a), `${b} / ${a}`)
  }
})

t.test('addresses are compared by their parts', async t => {
  for (const [a, b] of [
    ['233 S. Wacker Dr., Ste 4600', '233 SOUTH WACKER DRIVE SUITE 4600'],
    ['1800 Pacific Av', '1800 PACIFIC AVE, San Francisco, CA 94109'],
    ['1800 Pacific Ave, San Francisco, CA 94109-1234', '1800 Pacific Avenue, San Francisco, CA 94109'],
    ['12 Oak St', '12 OAK ST UNIT 4']
  ] as const) {
    t.ok(isSameAddress(a, b), `${a} = ${b}`)
  }
  for (const [a, b] of [
    ['12 Oak St', '14 Oak St'],
    ['12 Oak St', '12 Elm St'],
    ['12 Oak St', '12 Oak Ave'],
    ['12 N Oak St', '12 S Oak St'],
    ['12 Oak St Unit 4', '12 Oak St Unit 5'],
    ['12 Oak St, Tacoma, WA 98402', '12 Oak St, Tacoma, WA 98405'],
    ['Oak St', '12 Oak St']
  ] as const) {
    t.notOk(isSameAddress(a, b), `${a} / ${b}`)
  }
})

t.test('what both tell and tell differently is a difference with both values; what one leaves out is none', async t => {
  t.same(compareParcel({}, { ownerName: 'A', siteAddress: '1 Oak St' }), [])
  t.same(compareParcel({ ownerName: 'Jane Doe' }, { ownerName: null }), [])
  t.same(
    compareParcel(
      { ownerName: 'Jane Doe', siteAddress: '12 Oak St' },
      { ownerName: 'ROE RICHARD', siteAddress: '14 OAK ST' }
    ),
    [
      { field: 'owner_name', code: 'OWNER_DIFFERS', readings: ['Jane Doe', 'ROE RICHARD'] },
      { field: 'site_address', code: 'ADDRESS_DIFFERS', readings: ['12 Oak St', '14 OAK ST'] }
    ]
  )
})
