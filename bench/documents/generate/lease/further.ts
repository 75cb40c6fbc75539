import { dollars, inWords } from '../../../../samples/generate/amounts.ts'
import { addMonths, americanDay, longDay } from '../../../../samples/generate/calendar.ts'
import { docxOf } from '../../../../samples/generate/documents/docx.ts'
import { pdfOf } from '../ink.ts'
import { FILLER, furnitureOf, type LeaseLayout, where } from './wording.ts'

/** The clauses of a shop's lease in the words of older forms. */
const indenture: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { font: 'Times', size: 11 }), ink => {
      ink.text(240, 48, 'INDENTURE OF LEASE', { bold: true })
      const texts = [
        `THIS INDENTURE OF LEASE, dated the ${longDay(facts.signed)}, by and between ${facts.landlord} (hereinafter referred to as the "Lessor"), and ${facts.tenant} (hereinafter referred to as the "Lessee"),`,
        'WITNESSETH:',
        `1. The Lessor does hereby demise and let unto the Lessee the store premises known as and located at ${where(facts)} (the "Premises").`,
        `2. To have and to hold the same for a term of ${inWords(facts.months / 12).toLowerCase()} (${facts.months / 12}) years, commencing ${longDay(facts.start)} and expiring ${longDay(facts.end)}.`,
        `3. Yielding and paying therefor a fixed minimum rent of ${dollars(facts.rent)} per month, payable on the first day of each and every month.`,
        `4. Lessee has deposited with Lessor ${dollars(facts.deposit)} as security for the performance of this Lease.`,
        ...FILLER
      ]
      let y = 84
      for (const text of texts) y = ink.flow(72, y, text)
    })
}

/** Questions and answers of a form, numbered, with the answers on lines of their own. */
const numberedForm: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
      ink.text(180, 44, 'RESIDENTIAL LEASE', { bold: true, size: 13 })
      const rows = [
        ['1. Landlord:', facts.landlord],
        ['2. Tenant:', facts.tenant],
        ['3. Premises:', where(facts)],
        ['4. Term:', `From ${longDay(facts.start)} to ${longDay(facts.end)}`],
        ['5. Rent:', `${dollars(facts.rent)} per month, payable in advance`],
        ['6. Security deposit:', dollars(facts.deposit)],
        ['7. Occupants:', 'Tenant and immediate family only'],
        ['8. Utilities:', 'Tenant pays electricity; Landlord pays water']
      ] as const
      rows.forEach(([label, value], index) => {
        ink.text(60, 84 + index * 24, label)
        ink.text(180, 84 + index * 24, value)
      })
      ink.flow(60, 300, FILLER.join(' '))
    })
}

/** A schedule of yearly rents by dates; the first step is the rent. */
const steps: LeaseLayout = {
  isHome: false,
  type: 'docx',
  write: async facts => {
    const year = (at: number): readonly string[] => {
      const monthly = Math.round(facts.rent * (1 + at * 0.03))
      const from = addMonths(facts.start, at * 12)
      return [americanDay(from), dollars(monthly * 12), dollars(monthly)]
    }
    return docxOf([
      { heading: 'Lease Agreement' },
      { heading: 'Lease Summary' },
      {
        table: [
          ['Landlord', facts.landlord],
          ['Tenant', facts.tenant],
          ['Leased Premises', where(facts)],
          ['Lease Commencement Date', longDay(facts.start)],
          ['Lease Expiration Date', longDay(facts.end)],
          ['Security Deposit', dollars(facts.deposit)]
        ]
      },
      { paragraph: 'Base Rent is payable monthly in advance as follows:' },
      { table: [['Beginning', 'Annual Base Rent', 'Monthly Base Rent'], year(0), year(1), year(2)] },
      ...FILLER.map(paragraph => ({ paragraph }))
    ])
  }
}

/** A cover page with the names, then the agreement. */
const cover: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random), ink => {
      const lines = ['LEASE AGREEMENT', 'BETWEEN', facts.landlord, 'AS LANDLORD', 'AND', facts.tenant, 'AS TENANT']
      lines.forEach((line, index) => ink.text(220, 200 + index * 40, line, { bold: index === 0 }))
      ink.nextPage()
      const texts = [
        `THIS LEASE AGREEMENT ("Lease") is entered into effective ${longDay(facts.signed)}, between ${facts.landlord}, an Ohio corporation ("Landlord") and ${facts.tenant} ("Tenant").`,
        `1.1 Leased Premises. Landlord leases to Tenant approximately ${facts.area.toLocaleString('en-US')} square feet in the building located at ${where(facts)} (the "Leased Premises").`,
        `1.2 Term. The Term shall commence on ${longDay(facts.start)} ("Commencement Date") and, unless sooner terminated, shall expire on ${longDay(facts.end)} ("Expiration Date").`,
        `2.1 Base Rent. Tenant shall pay to Landlord as base rent the sum of ${dollars(facts.rent)} per month on the first day of each month.`,
        `2.2 Security Deposit. Tenant shall deposit ${dollars(facts.deposit)} upon execution.`,
        ...FILLER
      ]
      let y = 60
      for (const text of texts) y = ink.flow(72, y, text)
    })
}

/** An agreement by the month's sum with first month, deposit and fees in one list. */
const movingIn: LeaseLayout = {
  isHome: true,
  type: 'txt',
  write: async facts =>
    Buffer.from(
      [
        'RENTAL AGREEMENT',
        '',
        `Landlord: ${facts.landlord}`,
        `Tenant(s): ${facts.tenant}`,
        `Rental Property: ${where(facts)}`,
        `Lease Term: ${longDay(facts.start)} through ${longDay(facts.end)}`,
        '',
        `Monthly Rent:        ${dollars(facts.rent)}`,
        `Security Deposit:    ${dollars(facts.deposit)}`,
        'Pet Fee:             $250.00',
        'Application Fee:     $45.00',
        `Total Due at Move-in: ${dollars(facts.rent + facts.deposit + 29_500)}`,
        '',
        ...FILLER
      ].join('\n')
    )
}

/** Further layouts of leases, by name. */
export const LEASE_FURTHER: Readonly<Record<string, LeaseLayout>> = {
  indenture,
  'numbered-form': numberedForm,
  steps,
  cover,
  'moving-in': movingIn
}
