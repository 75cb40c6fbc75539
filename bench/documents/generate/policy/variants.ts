import { dollars, grouped } from '../../../../samples/generate/amounts.ts'
import { addDays, addMonths, americanDay, type Day, isoDay, longDay } from '../../../../samples/generate/calendar.ts'
import type { PolicyFacts } from '../facts.ts'
import { type Ink, pdfOf } from '../ink.ts'
import { furnitureOf, type PolicyLayout, shortDay } from './wording.ts'

const militaryDay = (day: Day): string => {
  const [month = '', date = ''] = shortDay(day).replace(',', '').split(' ')
  return `${date.padStart(2, '0')}-${month}-${day.year}`
}
const plainDay = ({ year, month, day }: Day): string => `${month}/${day}/${String(year).slice(2)}`

/** Label and value of several facts in one line, as headings of every page have them. */
const oneLine: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
    ink.text(54, 40, `${facts.carrier} - Policy Declarations`, { bold: true })
    const dates = `Effective: ${americanDay(facts.start)}   Expires: ${americanDay(facts.end)}`
    ink.text(54, 60, `Policy Number: ${facts.number}   ${dates}`)
    ink.text(54, 80, `Insured: ${facts.insured}     Agent: ${facts.agency}`)
    ink.text(54, 96, facts.address.join(', '))
    const shown = random.pick(['Total Premium', 'Annual Premium', 'Policy Premium'])
    ink.text(54, 130, `${shown} ${dollars(facts.total)}   Minimum Earned Premium $250.00`)
  })

/** `FROM` and `TO` over their dates, under a heading. */
const fromTo: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
    const date = random.pick([americanDay, plainDay, militaryDay])
    ink.text(54, 40, facts.carrier, { bold: true })
    ink.text(54, 56, 'COMMERCIAL PROPERTY POLICY DECLARATIONS')
    ink.text(60, 90, 'POLICY NUMBER', { size: 7 })
    ink.text(60, 102, facts.number)
    ink.text(250, 90, 'POLICY PERIOD', { size: 7 })
    ink.text(250, 102, 'FROM', { size: 7 })
    ink.text(330, 102, 'TO', { size: 7 })
    ink.text(250, 113, date(facts.start))
    ink.text(330, 113, date(facts.end))
    ink.text(420, 113, '12:01 A.M. Standard Time')
    ink.text(60, 140, 'NAMED INSURED AND ADDRESS', { size: 7 })
    ;[facts.insured, ...facts.address].forEach((line, index) => ink.text(60, 152 + index * 12, line))
    ink.text(330, 140, 'PRODUCER', { size: 7 })
    ink.text(330, 152, facts.agency)
    total(ink, facts, 'TOTAL POLICY PREMIUM')
  })

function total(ink: Ink, facts: PolicyFacts, label: string, y = 240): void {
  facts.parts.forEach(([part, cents], index) => {
    ink.text(60, y + index * 14, part)
    ink.right(480, y + index * 14, `$ ${grouped(cents)}`)
  })
  ink.text(60, y + 60, label, { bold: true })
  ink.right(480, y + 60, `$ ${grouped(facts.total)}`, { bold: true })
}

/** A letter first, the declarations behind it. */
const letter: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Times', size: 11 }), ink => {
    ink.text(54, 60, facts.agency)
    ink.text(54, 90, longDay(facts.issued))
    ;[facts.insured, ...facts.address].forEach((line, index) => ink.text(54, 120 + index * 13, line))
    const thanks = `Dear ${facts.insured}: Thank you for choosing us. Your renewal is enclosed. Your prior policy ${facts.prior} ends when this one begins. Please call us with questions.`
    ink.flow(54, 190, thanks)
    ink.nextPage()
    ink.text(54, 50, facts.carrier, { bold: true })
    ink.text(54, 68, 'RENEWAL POLICY DECLARATIONS', { bold: true })
    const rows = [
      ['Policy Number', facts.number],
      ['Policy Period', `${longDay(facts.start)} to ${longDay(facts.end)}`],
      ['Named Insured', facts.insured],
      ['Mailing Address', facts.address.join(', ')]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 100 + index * 18, label)
      ink.text(200, 100 + index * 18, value)
    })
    total(ink, facts, 'Total Premium')
  })

/** A change in mid-term: the day of the change is not the day the policy began. */
const amended: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
    const change = addDays(addMonths(facts.start, 2), 5)
    ink.text(54, 40, facts.carrier, { bold: true })
    ink.text(54, 58, 'AMENDED DECLARATIONS', { bold: true })
    const rows = [
      ['Policy Number:', facts.number],
      [
        random.pick(['Change Effective Date:', 'Endorsement Effective:', 'Transaction Effective Date:']),
        longDay(change)
      ],
      ['Policy Period:', `From ${longDay(facts.start)} to ${longDay(facts.end)}`],
      ['Named Insured:', facts.insured],
      ['Additional Interest:', facts.other],
      ['Change in Premium:', '$37.00'],
      ['Total Policy Premium:', dollars(facts.total)]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 90 + index * 20, label)
      ink.text(210, 90 + index * 20, value)
    })
  })

/** An earlier insurer in a section of its own. */
const history: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
    ink.text(54, 40, 'COMMERCIAL INSURANCE APPLICATION', { bold: true })
    const rows = [
      ['Carrier:', facts.carrier],
      ['Policy Number:', facts.number],
      ['First Named Insured:', facts.insured],
      ['Proposed Eff Date:', americanDay(facts.start)],
      ['Proposed Exp Date:', americanDay(facts.end)],
      ['Policy Premium:', dollars(facts.total)]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 70 + index * 18, label)
      ink.text(190, 70 + index * 18, value)
    })
    ink.text(54, 300, random.pick(['PRIOR CARRIER INFORMATION', 'PRIOR COVERAGE', 'Loss History']), { bold: true })
    const before = [
      ['Carrier:', 'Oldfield Fire Insurance Company'],
      ['Policy Number:', facts.prior],
      ['Effective Date:', americanDay(addMonths(facts.start, -12))],
      ['Expiration Date:', americanDay(facts.start)],
      ['Total Premium:', '$1,111.00']
    ] as const
    before.forEach(([label, value], index) => {
      ink.text(60, 320 + index * 18, label)
      ink.text(190, 320 + index * 18, value)
    })
  })

/** What is paid by instalments and with discounts stands around the total. */
const billing: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random), ink => {
    ink.text(54, 40, facts.carrier, { bold: true })
    ink.text(54, 58, 'Auto Policy Declarations')
    ink.text(54, 90, `Policy number: ${facts.number}`)
    ink.text(54, 106, `Named insured: ${facts.insured}`)
    const date = random.pick([longDay, isoDay, militaryDay])
    ink.text(54, 122, `Policy period: ${date(facts.start)} through ${date(facts.end)}`)
    facts.parts.forEach(([part, cents], index) => {
      ink.text(60, 160 + index * 14, part)
      ink.right(460, 160 + index * 14, dollars(cents))
    })
    const rows = [
      [`Total ${facts.months}-Month Policy Premium`, dollars(facts.total)],
      ['Discount if paid in full', '-$55.00'],
      ['Monthly installment', dollars(Math.round(facts.total / 5))],
      ['Down payment', dollars(Math.round(facts.total / 4))]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 220 + index * 15, label)
      ink.right(460, 220 + index * 15, value)
    })
  })

/** Labels flush right before their values, without colons. */
const facing: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
    ink.text(54, 40, facts.carrier, { bold: true })
    ink.text(54, 58, 'Homeowners Policy Declarations')
    const date = random.pick([longDay, shortDay])
    const rows = [
      ['Policy number', facts.number],
      ['Named insured', facts.insured],
      ['Location of residence premises', facts.address.join(', ')],
      ['Effective date', date(facts.start)],
      ['Expiration date', date(facts.end)],
      ['Estimated replacement cost', '$412,000.00'],
      ['Total annual premium', dollars(facts.total)]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.right(230, 90 + index * 18, label)
      ink.text(245, 90 + index * 18, value)
    })
  })

/** Labels as headings over paragraphs. */
const headings: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 10 }), ink => {
    ink.text(54, 40, 'Renters insurance', { size: 18, bold: true })
    ink.text(54, 66, 'Declarations page', { size: 12 })
    const parts = [
      ['Policy number', [facts.number]],
      ['Policyholder', [facts.insured]],
      ['Insured address', [...facts.address]],
      ['Policy term', [`${longDay(facts.start)} – ${longDay(facts.end)}`, 'at 12:01 AM local time']],
      ['Total premium', [dollars(facts.total)]],
      ['Insurer', [facts.carrier]]
    ] as const
    let y = 100
    for (const [label, lines] of parts) {
      ink.text(54, y, label, { size: 8, colour: '#666666' })
      lines.forEach((line, index) => ink.text(54, y + 12 + index * 13, line, { size: random.pick([10, 11]) }))
      y += 30 + lines.length * 13
    }
  })

/** More layouts of policies, by name. */
export const POLICY_VARIANTS: Readonly<Record<string, PolicyLayout>> = {
  'one-line': oneLine,
  'from-to': fromTo,
  letter,
  amended,
  history,
  billing,
  facing,
  headings
}
