import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { proseOf } from '../../../src/profiles/find/layout/prose.ts'
import { originOf, sheetOf } from '../../../src/profiles/find/layout/sheet.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, paged, pageOf } from './documents.ts'

const HEADER = { x: 0.1, y: 0.03, text: 'Iris Court Shopping Center' }
const footer = (page: number) => ({ x: 0.4, y: 0.95, text: `Page ${page} of 3` })
const page = (number: number, ...texts: string[]) =>
  pageOf([HEADER, ...texts.map((text, at) => ({ x: 0.1, y: 0.2 + at * 0.02, text })), footer(number)], number)

const document = paged(
  page(
    1,
    'LEASE AGREEMENT',
    'This lease is made between Iris Court LP ("Landlord") and Saltmarsh Outfitters Co. ("Tenant").',
    'The term of this lease shall commence on July 1, 2024 and shall'
  ),
  page(2, 'expire on June 30, 2029, unless ended before. Tenant shall pay to Landlord monthly rent of'),
  page(3, '$8,400.00 in advance. The premises are 4 Iris Court, Port Ashby, WA 98402.')
)

test('headers and footers do not part a sentence that goes on over the page', t => {
  const prose = proseOf(sheetOf(document))
  t.match(prose.text, /shall expire on June 30, 2029.*monthly rent of \$8,400\.00/)
  const running = '; Page 1 of 3 ; Iris Court Shopping Center ; Page 2 of 3 ; Iris Court Shopping Center ; Page 3 of 3'
  t.ok(prose.text.startsWith('Iris Court Shopping Center LEASE AGREEMENT'))
  t.ok(prose.text.endsWith(running), 'the others stand behind the text, each apart')
  const { fields } = findFields(lease, document, CONTEXT)
  t.match(fields['lease_end'], { value: '2029-06-30', origin: { page: 2 } })
  t.match(fields['base_rent'], { value: '8400.00', origin: { page: 3 } })
  t.end()
})

test('places stay those of the page', t => {
  const { segments, starts, text } = proseOf(sheetOf(document))
  for (const [at, segment] of segments.entries()) {
    t.ok(text.startsWith(segment.text, starts[at]), 'a segment stands where it says')
    t.ok(originOf(segment))
  }
  t.end()
})

test('lines that stand at another place, or on few of many pages, are text', t => {
  const once = paged(page(1, 'a'), ...[2, 3, 4, 5, 6].map(number => pageOf([{ x: 0.1, y: 0.5, text: 'b' }], number)))
  t.match(proseOf(sheetOf(once)).text, /Iris Court Shopping Center a ; Page 1 of 3 b b/)
  const low = paged(...[1, 2, 3].map(number => pageOf([{ x: 0.1, y: 0.1 * number, text: 'Rent' }], number)))
  t.equal(proseOf(sheetOf(low)).text, 'Rent Rent Rent')
  t.end()
})
