import { amountInWords, dollars, inWords } from '../../../../samples/generate/amounts.ts'
import { addMonths, americanDay, longDay } from '../../../../samples/generate/calendar.ts'
import { docxOf } from '../../../../samples/generate/documents/docx.ts'
import type { LeaseFacts } from '../facts.ts'
import { pdfOf } from '../ink.ts'
import { FILLER, furnitureOf, type LeaseLayout, where } from './wording.ts'

const numbered = (texts: readonly string[]): string[] => texts.map((text, at) => `${at + 1}. ${text}`)

function writes(title: string, texts: (facts: LeaseFacts, pick: <T>(list: readonly T[]) => T) => readonly string[]) {
  return (facts: LeaseFacts, random: Parameters<LeaseLayout['write']>[1]): Promise<Buffer> =>
    pdfOf(furnitureOf(random), ink => {
      ink.text(200, 48, title, { bold: true })
      let y = 80
      for (const text of texts(facts, list => random.pick(list))) y = ink.flow(72, y, text)
    })
}

/** Terms defined in quotation marks, parties with what they are. */
const defined: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: writes('OFFICE BUILDING LEASE', (facts, pick) => [
    `This Office Building Lease ("Lease") is made and entered into as of ${longDay(facts.signed)}, by and between ${facts.landlord}, a Delaware limited liability company ("Landlord"), and ${facts.tenant}, a Nevada corporation ("Tenant").`,
    ...numbered([
      `"Premises" means approximately ${facts.area.toLocaleString('en-US')} rentable square feet located at ${where(facts)}.`,
      `"Commencement Date" means ${longDay(facts.start)}. "Expiration Date" means ${longDay(facts.end)}. "Term" means the period from the Commencement Date through the Expiration Date.`,
      pick([
        `Base Rent. Commencing on the Commencement Date, Tenant shall pay Base Rent of ${dollars(facts.rent)} per month, plus Tenant's share of Operating Expenses.`,
        `Tenant shall pay, as Base Rent, ${dollars(facts.rent * 12)} per annum, in equal monthly installments of ${dollars(facts.rent)}.`
      ]),
      `Tenant has deposited ${dollars(facts.deposit)} with Landlord as a Security Deposit.`,
      `Option to Extend. Tenant may extend the Term for one period of sixty (60) months at a monthly Base Rent of ${dollars(Math.round(facts.rent * 1.2))}.`,
      ...FILLER
    ])
  ])
}

/** The year's rent in all beside the month's, and several people as one tenant. */
const totals: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: writes('Apartment Lease Contract', (facts, pick) => [
    `Date of Lease Contract: ${longDay(facts.signed)}`,
    ...numbered([
      `PARTIES. This Lease Contract is between you, the resident: ${facts.tenant}, and us, the owner: ${facts.landlord}.`,
      `APARTMENT. You rent the apartment located at ${where(facts)} for use as a private residence only.`,
      `LEASE TERM. The initial term of this Lease Contract begins on ${longDay(facts.start)} and ends at 11:59 p.m. on ${longDay(facts.end)}.`,
      `SECURITY DEPOSIT. The total security deposit is ${dollars(facts.deposit)}, due when this Lease Contract is signed.`,
      pick([
        `RENT. You will pay ${dollars(facts.rent)} per month for rent, in advance and without demand. Prorated rent of $410.00 is due for the remainder of the first month.`,
        `RENT. Rent is ${dollars(facts.rent)} a month, for a total of ${dollars(facts.rent * facts.months)} for the lease term.`
      ]),
      ...FILLER
    ])
  ])
}

/** Facts as headings with the value after a dash or beneath. */
const outline: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
      ink.text(54, 44, 'Residential Rental Agreement', { size: 14, bold: true })
      const rows = [
        ['LANDLORD', facts.landlord],
        ['TENANT(S)', facts.tenant],
        ['RENTAL PROPERTY', where(facts)],
        ['LEASE BEGINS', longDay(facts.start)],
        ['LEASE ENDS', longDay(facts.end)],
        ['MONTHLY RENT', dollars(facts.rent)],
        ['SECURITY DEPOSIT', dollars(facts.deposit)],
        ['LATE FEE', '$75.00']
      ] as const
      rows.forEach(([label, value], index) => {
        ink.text(54, 80 + index * 34, label, { size: 8, bold: true })
        ink.text(54, 92 + index * 34, value)
      })
      ink.flow(54, 380, FILLER.join(' '))
    })
}

/** Street and town below one another, two columns of facts. */
const cards: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
      ink.text(54, 44, 'LEASE DATA SHEET - RETAIL LEASE', { bold: true })
      const cells = [
        ['Landlord:', [facts.landlord]],
        ['Tenant:', [facts.tenant]],
        ['Premises:', [...facts.address]],
        ['Notice Address:', [...facts.landlordAddress]],
        ['Lease Commencement Date:', [longDay(facts.start)]],
        ['Lease Expiration Date:', [longDay(facts.end)]],
        ['Monthly Base Rent:', [dollars(facts.rent)]],
        ['Security Deposit:', [dollars(facts.deposit)]]
      ] as const
      cells.forEach(([label, lines], index) => {
        const [x, y] = [54 + (index % 2) * 262, 80 + Math.floor(index / 2) * 52]
        ink.text(x, y, label, { bold: true })
        lines.forEach((line, at) => ink.text(x, y + 13 + at * 12, line))
      })
      ink.flow(54, 320, `The rent under the prior lease was $1,234.00 per month. ${FILLER.join(' ')}`)
    })
}

/** One paragraph that says it all. */
const brief: LeaseLayout = {
  isHome: true,
  type: 'docx',
  write: async (facts, random) => {
    const length = `${inWords(facts.months).toLowerCase()} (${facts.months}) month`
    const first = random.pick([
      `${facts.landlord} ("Landlord") agrees to rent to ${facts.tenant} ("Tenant") the house located at ${where(facts)} for a ${length} term beginning ${longDay(facts.start)} and ending ${longDay(facts.end)}.`,
      `In consideration of the rent, ${facts.landlord} ("Lessor") leases to ${facts.tenant} ("Lessee") the dwelling situated at ${where(facts)}, from ${longDay(facts.start)} to ${longDay(facts.end)}.`
    ])
    const rent = random.pick([
      `The monthly rent shall be ${amountInWords(facts.rent)} (${dollars(facts.rent)}).`,
      `Rent is ${dollars(facts.rent)} per month.`
    ])
    return docxOf([
      { heading: 'House Rental Contract' },
      { paragraph: first },
      { paragraph: `${rent} A security deposit of ${dollars(facts.deposit)} has been paid.` },
      ...FILLER.map(paragraph => ({ paragraph }))
    ])
  }
}

/** A summary in a table of Word with a label that wraps, and dates in numbers. */
const grid: LeaseLayout = {
  isHome: false,
  type: 'docx',
  write: async (facts, random) => {
    const date = random.pick([longDay, longDay, americanDay])
    const option = addMonths(facts.end, 60)
    return docxOf([
      { heading: 'SHOPPING CENTER LEASE' },
      { heading: 'Fundamental Lease Provisions' },
      {
        table: [
          ['Date of Lease', longDay(facts.signed)],
          ['Landlord', facts.landlord],
          ['Landlord’s Address', facts.landlordAddress.join(', ')],
          ['Tenant', facts.tenant],
          ['Premises', where(facts)],
          ['Term', `Commencing ${date(facts.start)} and ending ${date(facts.end)}`],
          ['Option Term', `Through ${longDay(option)}`],
          ['Minimum Rent', `${dollars(facts.rent)} per month`],
          ['Security Deposit', dollars(facts.deposit)]
        ]
      },
      ...FILLER.map(paragraph => ({ paragraph }))
    ])
  }
}

/** More layouts of leases, by name. */
export const LEASE_VARIANTS: Readonly<Record<string, LeaseLayout>> = { defined, totals, outline, cards, brief, grid }
