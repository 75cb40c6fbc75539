import { dollars, grouped } from '../../../../samples/generate/amounts.ts'
import { americanDay, longDay } from '../../../../samples/generate/calendar.ts'
import { pdfOf } from '../ink.ts'
import {
  ADDRESS,
  AGENT,
  dashedDay,
  END,
  FIGURES,
  furnitureOf,
  INSURED,
  NUMBER,
  type PolicyLayout,
  premiums,
  START,
  shortDay,
  TOTAL,
  title
} from './wording.ts'

const pairs: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random), ink => {
    const date = random.pick(FIGURES)
    title(ink, facts, random.pick(['Policy Declarations', 'DECLARATIONS PAGE', 'Renewal Declarations']))
    const rows = [
      [random.pick(NUMBER), facts.number],
      [random.pick(INSURED), facts.insured],
      [random.pick(ADDRESS), facts.address.join(', ')],
      [random.pick(START), date(facts.start)],
      [random.pick(END), date(facts.end)],
      [random.pick(AGENT), facts.agency],
      [random.pick(['Prior Policy Number', 'Renewal of', 'Replaces Policy']), facts.prior]
    ] as const
    const gap = random.pick([170, 230])
    rows.forEach(([label, value], index) => {
      ink.text(60, 110 + index * 19, `${label}:`, { bold: true })
      ink.text(60 + gap, 110 + index * 19, value)
    })
    premiums(ink, facts, 280, random.pick(TOTAL))
  })

const boxes: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
    const date = random.pick(FIGURES)
    title(ink, facts, 'Common Policy Declarations')
    const cells = [
      [random.pick(NUMBER), facts.number],
      ['Account Number', facts.account],
      [random.pick(INSURED), facts.insured],
      [random.pick(AGENT), facts.agency],
      [random.pick(START), date(facts.start)],
      [random.pick(END), date(facts.end)],
      ['Date Issued', date(facts.issued)],
      [random.pick(TOTAL), dollars(facts.total)]
    ] as const
    cells.forEach(([label, value], index) => {
      const [x, y] = [54 + (index % 2) * 252, 100 + Math.floor(index / 2) * 40]
      ink.frame(x, y, [252, 40])
      ink.text(x + 4, y + 4, label, { size: 7 })
      ink.text(x + 4, y + 18, value)
    })
    facts.parts.forEach(([label, cents], index) => {
      ink.text(60, 300 + index * 15, label)
      ink.right(400, 300 + index * 15, grouped(cents))
    })
  })

const headerRow: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { size: 9 }), ink => {
    const date = random.pick([americanDay, dashedDay, shortDay])
    title(ink, facts, 'Insurance Declarations')
    const columns = [
      [60, random.pick(['Policy Number', 'POLICY NUMBER', 'Policy No.']), facts.number],
      [200, random.pick(START), date(facts.start)],
      [330, random.pick(END), date(facts.end)],
      [460, 'Date Issued', date(facts.issued)]
    ] as const
    ink.rule(98)
    for (const [x, label, value] of columns) {
      ink.text(x, 102, label, { bold: true })
      ink.text(x, 118, value)
    }
    ink.rule(132)
    ink.text(60, 150, random.pick(['Named Insured and Mailing Address', "Insured's Name and Address", 'Named Insured']))
    ;[facts.insured, ...facts.address].forEach((line, index) => ink.text(60, 166 + index * 13, line))
    ink.text(330, 150, 'Agency and Mailing Address')
    ;[facts.agency, '19 Broker Plaza', 'Lakemont, OH 44107'].forEach((line, index) =>
      ink.text(330, 166 + index * 13, line)
    )
    premiums(ink, facts, 250, random.pick(TOTAL))
  })

const items: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random), ink => {
    const date = random.pick([americanDay, longDay])
    title(ink, facts, 'COMMERCIAL GENERAL LIABILITY COVERAGE PART DECLARATIONS')
    ink.text(54, 100, `${random.pick(NUMBER)}: ${facts.number}`)
    ink.text(330, 100, `Renewal of Number: ${facts.prior}`)
    ink.text(54, 130, `Item 1. Named Insured: ${facts.insured}`)
    ink.text(54, 146, `Mailing Address: ${facts.address.join(', ')}`)
    const time = 'at 12:01 A.M. Standard Time at your mailing address shown above'
    ink.flow(54, 170, `Item 2. Policy Period: From ${date(facts.start)} to ${date(facts.end)} ${time}.`)
    ink.text(54, 210, 'Item 3. Business Description: Retail trade')
    premiums(ink, facts, 240, random.pick(['Total Advance Premium', 'Total Premium', 'TOTAL PREMIUM PAYABLE']))
    const promise = `In return for the payment of the premium, and subject to all the terms of this policy, we agree with you to provide the insurance as stated in this policy.`
    ink.flow(54, 340, promise)
  })

const sentences: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
    ink.text(54, 46, `Your ${random.pick(['home', 'auto', 'renters'])} insurance policy declarations`, {
      size: 16,
      bold: true
    })
    ink.text(54, 76, `Policy number ${facts.number}`)
    const insured = [facts.insured, ...facts.address]
    insured.forEach((line, index) => ink.text(54, 100 + index * 13, line))
    const phrase = random.pick([
      `Your policy is effective from ${longDay(facts.start)} to ${longDay(facts.end)} at 12:01 AM.`,
      `Your coverage begins on ${longDay(facts.start)} at 12:01 a.m. Your policy expires on ${longDay(facts.end)} at 12:01 a.m.`,
      `Policy period: ${longDay(facts.start)} - ${longDay(facts.end)}`
    ])
    ink.flow(54, 160, phrase)
    ink.text(54, 200, random.pick(['Named insured(s)', 'Policyholder(s)', 'Named insured']), { bold: true })
    ink.text(54, 214, facts.insured)
    ink.text(330, 200, 'Underwritten by', { bold: true })
    ink.text(330, 214, facts.carrier)
    premiums(ink, facts, 250, `Total ${facts.months} month policy premium`)
    ink.text(54, 380, 'If you pay in full you save $42.00. Monthly payments of $88.25 include a $5.00 fee.')
  })

const form: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica', size: 8 }), ink => {
    ink.text(200, 40, random.pick(['INSURANCE APPLICATION', 'EVIDENCE OF PROPERTY INSURANCE']), {
      size: 12,
      bold: true
    })
    const cells = [
      [54, 80, 'AGENCY', facts.agency],
      [306, 80, random.pick(['CARRIER', 'COMPANY']), facts.carrier],
      [306, 120, 'POLICY NUMBER', facts.number],
      [54, 160, random.pick(['NAMED INSURED', 'INSURED', 'NAMED INSURED(S)']), facts.insured],
      [54, 200, 'EFFECTIVE DATE', americanDay(facts.start)],
      [306, 200, 'EXPIRATION DATE', americanDay(facts.end)],
      [54, 240, 'TOTAL PREMIUM', dollars(facts.total)],
      [306, 240, 'LOAN NUMBER', random.below(2) === 0 ? facts.account : '']
    ] as const
    for (const [x, y, label, value] of cells) {
      ink.frame(x, y, [252, 38])
      ink.text(x + 3, y + 3, label, { size: 6 })
      if (value !== '') ink.field(x + 3, y + 16, 220, value)
    }
  })

const notes: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
    const date = random.pick([longDay, shortDay])
    title(ink, facts, 'Policy Declarations')
    const rows = [
      ['Policy Number:', facts.number],
      ['Named Insured:', facts.insured],
      ['Effective Date:', date(facts.start)],
      ['Expiration Date:', date(facts.end)],
      ['Total Premium:', dollars(facts.total)]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 110 + index * 24, label)
      ink.note(180, 108 + index * 24, 200, value)
    })
  })

/** Layouts of labels, boxes, rows and forms by name. */
export const POLICY_FORMS: Readonly<Record<string, PolicyLayout>> = {
  pairs,
  boxes,
  'header-row': headerRow,
  items,
  sentences,
  form,
  notes
}
