import { dollars, grouped } from '../../../../samples/generate/amounts.ts'
import { addDays, addMonths, americanDay, type Day, longDay } from '../../../../samples/generate/calendar.ts'
import { docxOf } from '../../../../samples/generate/documents/docx.ts'
import { pdfOf } from '../ink.ts'
import { furnitureOf, type PolicyLayout, shortDay } from './wording.ts'

const nthDay = (day: Day): string => {
  const end = day.day % 10 === 1 && day.day !== 11 ? 'st' : day.day % 10 === 2 && day.day !== 12 ? 'nd' : 'th'
  return longDay(day).replace(',', `${day.day % 10 === 3 && day.day !== 13 ? 'rd' : end},`)
}

/** A summary beside the address of the insured, its labels above their values in small capitals. */
const panel: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
    ink.text(54, 40, facts.carrier, { size: 15, bold: true })
    ;[facts.insured.toUpperCase(), ...facts.address.map(line => line.toUpperCase())].forEach((line, index) =>
      ink.text(54, 110 + index * 12, line)
    )
    ink.fill(330, 90, [228, 150], '#eeeeee')
    const rows = [
      ['POLICY NUMBER', facts.number],
      ['POLICY PERIOD', `${americanDay(facts.start)} - ${americanDay(facts.end)}`],
      ['NAMED INSURED', facts.insured],
      ['YOUR AGENT', facts.agency]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(340, 98 + index * 34, label, { size: 6.5, bold: true, colour: '#555555' })
      ink.text(340, 108 + index * 34, value)
    })
    ink.text(54, 270, 'Summary of your coverage and premium', { bold: true, size: 12 })
    facts.parts.forEach(([part, cents], index) => {
      ink.text(60, 296 + index * 15, part)
      ink.text(300, 296 + index * 15, '$500,000')
      ink.right(540, 296 + index * 15, dollars(cents))
    })
    ink.text(60, 360, 'Your total premium for this policy period', { bold: true })
    ink.right(540, 360, dollars(facts.total), { bold: true })
  })

/** Everything in a ruled table of two pairs a row. */
const quads: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Times', size: 10 }), ink => {
    ink.text(54, 40, 'CERTIFICATE OF INSURANCE', { bold: true, size: 13 })
    const rows = [
      ['Insured:', facts.insured, 'Policy No:', facts.number],
      ['Insurer:', facts.carrier, 'Issue Date:', shortDay(facts.issued)],
      ['Effective Date:', shortDay(facts.start), 'Expiry Date:', shortDay(facts.end)],
      ['Broker:', facts.agency, 'Total Premium:', dollars(facts.total)]
    ] as const
    rows.forEach((cells, index) => {
      const y = 80 + index * 30
      ink.rule(y - 6)
      cells.forEach((cell, at) => ink.text([54, 130, 370, 450][at] ?? 54, y, cell, { size: 8, bold: at % 2 === 0 }))
    })
    ink.text(54, 230, `Certificate holder: ${facts.other}, 1 Bank Plaza, Lakemont, OH 44107`)
  })

/** Tables by vehicle with totals of their own, and the total of the policy last. */
const vehicles: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
    ink.text(54, 40, facts.carrier, { bold: true })
    ink.text(54, 56, 'Personal Auto Policy Declarations')
    ink.text(54, 84, `Policy Number ${facts.number}`)
    ink.text(54, 98, `Named Insured ${facts.insured}`)
    ink.text(54, 112, `Policy Period ${nthDay(facts.start)} to ${nthDay(facts.end)}`)
    const heads = ['Coverage', 'Limit', 'Vehicle 1', 'Vehicle 2']
    heads.forEach((head, at) => ink.text(60 + at * 120, 150, head, { bold: true }))
    facts.parts.forEach(([part, cents], index) => {
      const y = 166 + index * 14
      const first = Math.floor(cents / 2)
      ink.text(60, y, part)
      ink.text(180, y, '$100,000')
      ink.right(345, y, grouped(first))
      ink.right(465, y, grouped(cents - first))
    })
    const halves = facts.parts.map(([, cents]) => Math.floor(cents / 2)).reduce((sum, cents) => sum + cents, 0)
    ink.text(60, 226, 'Total Premium Per Vehicle')
    ink.right(345, 226, grouped(halves))
    ink.right(465, 226, grouped(facts.total - halves))
    ink.text(60, 250, random.pick(['Total Policy Premium', 'Total Premium for All Vehicles', 'Policy Total']), {
      bold: true
    })
    ink.right(465, 250, dollars(facts.total), { bold: true })
  })

/** The facts in a paragraph of a letter-like page. */
const paragraph: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random), ink => {
    ink.text(54, 40, 'EVIDENCE OF INSURANCE', { bold: true })
    const text = `This is to certify that ${facts.carrier} has issued to the named insured below a policy of insurance for the period stated.`
    let y = ink.flow(54, 70, text)
    y = ink.flow(54, y, `Named Insured: ${facts.insured}, ${facts.address.join(', ')}`)
    y = ink.flow(54, y, `Policy Number: ${facts.number}. Replaces: ${facts.prior}.`)
    y = ink.flow(54, y, `Coverage is effective from ${longDay(facts.start)} until ${longDay(facts.end)}.`)
    ink.flow(54, y, `The total annual premium, including all taxes and fees, is ${dollars(facts.total)}.`)
  })

/** A reinsured renewal with last year's column beside this year's. */
const years: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 9 }), ink => {
    ink.text(54, 40, `${facts.carrier} Renewal Declarations`, { bold: true })
    const rows = [
      ['Policy Number:', facts.number],
      ['Named Insured:', facts.insured],
      ['Policy Period:', `${longDay(facts.start)} to ${longDay(facts.end)}`]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 80 + index * 18, label)
      ink.text(180, 80 + index * 18, value)
    })
    ink.text(60, 150, 'Prior Term Premium:')
    ink.text(180, 150, dollars(facts.total - 3700))
    ink.text(60, 168, 'Renewal Premium:')
    ink.text(180, 168, dollars(facts.total))
    ink.text(60, 186, `Total Premium: ${dollars(facts.total)}`)
    ink.text(60, 220, `Prior term: ${longDay(addMonths(facts.start, -12))} to ${longDay(facts.start)}`)
  })

/** Blocks of a Word document: label, tab, value. */
const tabbed: PolicyLayout = async facts =>
  docxOf([
    { heading: 'Commercial Lines Policy Declarations' },
    { paragraph: `Policy Number:\t${facts.number}` },
    { paragraph: `Named Insured:\t${facts.insured}` },
    { paragraph: `Mailing Address:\t${facts.address.join(', ')}` },
    { paragraph: `Policy Period:\t${longDay(facts.start)} to ${longDay(facts.end)}` },
    { paragraph: `Issued:\t${longDay(addDays(facts.issued, 1))}` },
    { paragraph: `Total Premium:\t${dollars(facts.total)}` }
  ])

/** Further layouts of policies, by name. */
export const POLICY_FURTHER: Readonly<Record<string, PolicyLayout>> = {
  panel,
  quads,
  vehicles,
  paragraph,
  years,
  'tabbed-docx': tabbed
}
