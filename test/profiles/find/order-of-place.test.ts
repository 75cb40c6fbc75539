import { test } from 'tap'
import { orderOfPlace } from '../../../src/profiles/find/context/order-of-place.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines } from './documents.ts'

/** A broker's address, as papers of everywhere hold it. */
const BROKER = 'Wholesale Broker: Delta Brokers, 12 Juniper Street, Lakemont, OH 44107'

const ELSEWHERE: readonly string[] = [
  '14 George Street, Sydney NSW 2000',
  '14 Hay Street, West Perth, WA, 6005',
  'MG Road, Bengaluru, Karnataka 560001',
  '14 Nariman Point, Mumbai 400 021',
  'Av. Reforma 222, 06600 Ciudad de México',
  'Premium currency: MXN',
  '1 Raffles Place, Singapore 048616',
  '3 Queen Street, Auckland 1010, New Zealand',
  '3 Lime Street, London EC3M7DD',
  '3 Lime Street, London',
  '100 King Street West, Toronto ON M5H2N2',
  '100 King Street West, Toronto, ON M5H-2N2',
  '100 Barrington Street, Halifax, NS',
  'Sheikh Zayed Road, Dubai, UAE',
  'Hauptstrasse 5, 10115 Berlin',
  'Hauptstrasse 5, D-10115 Berlin',
  'All amounts in C$',
  'A$1,284.00',
  '₹ 84,000',
  'Postcode: 2000',
  'Goods and services tax: GST included'
]

const AMERICAN: readonly string[] = [
  '12 Juniper Street, Santa Fe, New Mexico, NM 87501',
  'New England Road 4, Boston, MA 02110',
  '12 Juniper Street, London, KY 40741',
  '12 Juniper Street, Hamilton, Ohio 45011',
  '12 Juniper Street, Birmingham, Alabama 35203',
  'Telephone 303 555 1212',
  '4 Peru Street, Indianapolis, IN 46204',
  'Dover, DE 19901'
]

test('a broker in America does not make a paper American', t => {
  for (const place of ELSEWHERE) t.equal(orderOfPlace(`${BROKER} Insured: Alder LLC, ${place}`), null, place)
  for (const place of AMERICAN) t.equal(orderOfPlace(`${BROKER} Insured: Alder LLC, ${place}`), 'mdy', place)
  t.equal(orderOfPlace('Hauptstrasse 5, Berlin DE 10115'), null, 'a state by its letters and not by its code')
  t.end()
})

test('a term that is whole with the day first outweighs the place', t => {
  const dated = declaration({ 'Effective Date': null, 'Expiration Date': null })
  const { fields } = findFields(
    policy,
    lines('POLICY DECLARATIONS', ...dated, 'Policy Period: 01/03/2024 to 01/09/2024', BROKER),
    CONTEXT
  )
  t.equal(fields['effective_date']?.value, '2024-03-01')
  t.equal(fields['expiration_date']?.value, '2024-09-01')
  t.notOk(fields['effective_date']?.flags.includes('DATE_ORDER_FROM_PLACE'))
  t.end()
})
