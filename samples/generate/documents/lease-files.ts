import { dollars } from '../amounts.ts'
import { addDays, lastDayOfTerm, longDay } from '../calendar.ts'
import type { SampleBatch, SampleFile } from '../manifest.ts'
import { batchOf } from '../manifest.ts'
import { type DocumentFate, documentFile } from './document-file.ts'
import type { Block } from './docx.ts'
import { docxOf } from './docx.ts'
import type { Lease, Wording } from './lease.ts'
import {
  ALDER_COURT,
  BRACKENRIDGE,
  clausesOf,
  fieldsOf,
  QUILLFEATHER,
  SALTMARSH,
  summaryOf,
  WINDLASS
} from './lease.ts'
import type { Sheet } from './pdf.ts'
import { pdfOf } from './pdf.ts'

const accepted = (lease: Lease): DocumentFate => ({ state: 'accepted', fields: fieldsOf(lease) })

/** Label and value beside each other under a title. */
function labelsAtLeft(lease: Lease): (sheet: Sheet) => void {
  return sheet => {
    sheet.text(72, 60, 'LEASE SUMMARY', { size: 14, bold: true })
    summaryOf(lease).forEach(([label, value], index) => {
      sheet.text(72, 100 + index * 20, `${label}:`, { bold: true })
      sheet.text(230, 100 + index * 20, value)
    })
  }
}

/** Labels with the value under each, in two columns. */
function twoColumns(lease: Lease): (sheet: Sheet) => void {
  return sheet => {
    sheet.text(72, 60, 'BASIC LEASE PROVISIONS', { size: 14, bold: true })
    summaryOf(lease).forEach(([label, value], index) => {
      const x = index % 2 === 0 ? 72 : 330
      const y = 100 + Math.floor(index / 2) * 42
      sheet.text(x, y, label, { size: 8, bold: true })
      sheet.text(x, y + 12, value)
    })
  }
}

/** The contract itself, on two pages. */
function sentences(lease: Lease, wording?: Wording): (sheet: Sheet) => void {
  return sheet => {
    sheet.text(230, 60, 'LEASE AGREEMENT', { size: 14, bold: true })
    let y = 100
    for (const clause of clausesOf(lease, wording)) y += sheet.paragraph(y, clause) + 14
    sheet.nextPage()
    sheet.text(72, 72, `LANDLORD: ${lease.landlord}`)
    sheet.text(72, 132, `TENANT: ${lease.tenant}`)
  }
}

function contract(lease: Lease, wording?: Wording): readonly Block[] {
  return [{ heading: 'LEASE AGREEMENT' }, ...clausesOf(lease, wording).map(paragraph => ({ paragraph }))]
}

/** An extension: the first tenancy of Quillfeather goes on at another rent. */
const EXTENSION: Lease = {
  ...QUILLFEATHER,
  start: { year: 2029, month: 7, day: 1 },
  months: 36,
  rentCents: 918_000
}

function amendment(): readonly Block[] {
  const { tenant, landlord, address, rentCents, start, months } = EXTENSION
  return [
    { heading: 'FIRST AMENDMENT TO LEASE AGREEMENT' },
    {
      paragraph: `This First Amendment to Lease Agreement is entered into as of March 18, 2025 by and between ${landlord} ("Landlord") and ${tenant} ("Tenant"), and amends the Lease Agreement dated ${longDay(QUILLFEATHER.signed)} for the premises located at ${address}.`
    },
    { paragraph: 'Landlord and Tenant agree to extend the term on the following terms:' },
    {
      table: [
        ['Tenant', tenant],
        ['Commencement Date', longDay(start)],
        ['Expiration Date', longDay(lastDayOfTerm(start, months))],
        ['Term', `${months} months`],
        ['Monthly Base Rent', dollars(rentCents)]
      ]
    },
    { paragraph: 'All other terms of the Lease Agreement remain in force.' }
  ]
}

const BLANK_LEASE: readonly Block[] = [
  { heading: 'LEASE AGREEMENT' },
  {
    paragraph:
      'THIS LEASE is made as of ____________, 20__ by and between ______________________ ("Landlord") and ______________________ ("Tenant").'
  },
  { paragraph: 'The premises are located at ____________________________________.' },
  { paragraph: 'The term shall be ____ months, commencing on ____________ and expiring on ____________.' },
  { paragraph: 'Tenant shall pay base rent of $____________ per month.' }
]

async function clean(): Promise<SampleFile[]> {
  const summary: readonly Block[] = [{ heading: 'LEASE SUMMARY' }, { table: summaryOf(BRACKENRIDGE) }]
  const pdf = { title: 'Lease' }
  return [
    documentFile('leases/alder-court-summary.pdf', await pdfOf(pdf, labelsAtLeft(ALDER_COURT)), accepted(ALDER_COURT)),
    documentFile('leases/quillfeather-lease.pdf', await pdfOf(pdf, sentences(QUILLFEATHER)), accepted(QUILLFEATHER)),
    documentFile('leases/windlass-two-columns.pdf', await pdfOf(pdf, twoColumns(WINDLASS)), accepted(WINDLASS)),
    documentFile('leases/brackenridge-table.docx', docxOf(summary), accepted(BRACKENRIDGE)),
    documentFile('leases/saltmarsh-lease.docx', docxOf(contract(SALTMARSH)), accepted(SALTMARSH)),
    documentFile('leases/quillfeather-first-amendment.docx', docxOf(amendment()), {
      ...accepted(EXTENSION),
      may_be_held: true
    })
  ]
}

/** Other tenants of the same landlords, so that no fault is a copy of a good lease. */
const FAULTY_TENANT: Lease = {
  ...SALTMARSH,
  tenant: 'Nettle Hill Apiary LLC',
  address: '14 Quayside Blvd, Port Ashby, WA 98199'
}
const LONG_TENANT: Lease = { ...QUILLFEATHER, tenant: 'Fjordlund Instruments, Inc.' }
const NEW_BUILDING: Lease = { ...BRACKENRIDGE, tenant: 'Tidewell Dental Group PLLC' }

async function faulty(): Promise<SampleFile[]> {
  const tooLong = addDays(lastDayOfTerm(LONG_TENANT.start, LONG_TENANT.months), 365)
  const wrongTerm = `The term of this Lease shall be sixty (60) months, commencing on ${longDay(LONG_TENANT.start)} (the "Commencement Date") and expiring on ${longDay(tooLong)} (the "Expiration Date").`
  const contingent =
    'The term of this Lease shall be eighty-four (84) months, commencing on the later to occur of (a) October 1, 2024 and (b) the date on which Landlord delivers the Premises with its work substantially complete (the "Commencement Date").'
  const wrongWords = { rentDigits: '$5,750.00' }
  const held = (code?: DocumentFate['code']): DocumentFate => ({ state: 'quarantined', ...(code && { code }) })
  return [
    documentFile(
      'leases/words-against-digits.docx',
      docxOf(contract(FAULTY_TENANT, wrongWords)),
      held('WORDS_DIGITS_MISMATCH')
    ),
    documentFile(
      'leases/term-against-dates.pdf',
      await pdfOf({ title: 'Lease' }, sentences(LONG_TENANT, { term: wrongTerm })),
      held('TERM_MISMATCH')
    ),
    documentFile('leases/start-depends-on-event.docx', docxOf(contract(NEW_BUILDING, { term: contingent })), held()),
    documentFile('leases/blank-form.docx', docxOf(BLANK_LEASE), held())
  ]
}

/** The leases of one administrator's portfolio: those to be accepted, and those somebody must look at. */
export async function leaseBatches(): Promise<{ batch: SampleBatch; files: readonly SampleFile[] }[]> {
  const head = { profile: 'lease', jurisdiction: 'port-ashby-leasing', source: 'north-portfolio' } as const
  const [good, bad] = await Promise.all([clean(), faulty()])
  return [
    { files: good, batch: batchOf({ ...head, name: 'leases', about: 'summaries, contracts and an amendment' }, good) },
    { files: bad, batch: batchOf({ ...head, name: 'leases-faulty', about: 'leases to be held' }, bad) }
  ]
}
