import { dollars, grouped } from '../amounts.ts'
import { americanDay, longDay } from '../calendar.ts'
import type { Sheet } from './pdf.ts'
import type { Policy } from './policy.ts'
import { endOf, totalOf } from './policy.ts'

const LEFT = 72
const RIGHT = 540

function title(sheet: Sheet, policy: Policy, text: string): void {
  sheet.text(LEFT, 54, policy.carrier, { size: 14, bold: true })
  sheet.text(LEFT, 74, text, { size: 12, bold: true })
  sheet.line(94)
}

/** Label and value beside each other, one fact a line. */
export function labelsAtLeft(policy: Policy, total: string): (sheet: Sheet) => void {
  return sheet => {
    title(sheet, policy, 'Homeowners Policy Declarations')
    const facts = [
      ['Policy Number:', policy.number],
      ['Named Insured:', policy.insured],
      ['Mailing Address:', policy.mailing.join(', ')],
      ['Insurance Company:', policy.carrier],
      ['NAIC Code:', policy.naic],
      ['Agent:', policy.agency],
      ['Effective Date:', longDay(policy.start)],
      ['Expiration Date:', longDay(endOf(policy))]
    ]
    facts.forEach(([label = '', value = ''], index) => {
      sheet.text(LEFT, 112 + index * 18, label, { bold: true })
      sheet.text(220, 112 + index * 18, value)
    })
    sheet.text(LEFT, 262, '12:01 A.M. standard time at the residence premises.')
    premiumLines(sheet, policy, { y: 300, total })
    sheet.text(LEFT, 440, 'Forms and Endorsements: HO 00 03 05 11, HO 04 90 05 11')
  }
}

function premiumLines(sheet: Sheet, policy: Policy, at: { readonly y: number; readonly total: string }): void {
  sheet.text(LEFT, at.y, 'Premium', { size: 12, bold: true })
  policy.parts.forEach(([label, cents], index) => {
    sheet.text(LEFT, at.y + 22 + index * 16, label)
    sheet.right(RIGHT, at.y + 22 + index * 16, dollars(cents))
  })
  const y = at.y + 26 + policy.parts.length * 16
  sheet.text(LEFT, y, 'Total Policy Premium', { bold: true })
  sheet.right(RIGHT, y, at.total, { bold: true })
}

/** Small labels with the value under each, two boxes side by side. */
export function labelsAbove(policy: Policy): (sheet: Sheet) => void {
  return sheet => {
    title(sheet, policy, 'Businessowners Policy Declarations')
    const boxes = [
      ['POLICY NUMBER', policy.number],
      ['NAIC CODE', policy.naic],
      ['NAMED INSURED', policy.insured],
      ['AGENCY', policy.agency],
      ['EFFECTIVE DATE', longDay(policy.start)],
      ['EXPIRATION DATE', longDay(endOf(policy))],
      ['MAILING ADDRESS', policy.mailing.join(', ')],
      ['TOTAL ANNUAL PREMIUM', dollars(totalOf(policy))]
    ]
    boxes.forEach(([label = '', value = ''], index) => {
      const x = index % 2 === 0 ? LEFT : 330
      const y = 112 + Math.floor(index / 2) * 44
      sheet.text(x, y, label, { size: 7, bold: true })
      sheet.text(x, y + 12, value, { size: 11 })
    })
    const parts = policy.parts.map(([label, cents]) => `${label} ${dollars(cents)}`)
    sheet.text(LEFT, 310, `The premium is made up of: ${parts.join('; ')}.`)
    sheet.text(LEFT, 340, 'Forms: BP 00 03 07 13, BP 04 17 01 10')
  }
}

/** A ruled table of coverage parts with its sum in the last row, and the period in one line. */
export function premiumTable(policy: Policy, total: string): (sheet: Sheet) => void {
  return sheet => {
    title(sheet, policy, 'Commercial Package Policy - Common Policy Declarations')
    sheet.text(LEFT, 112, `Policy No.: ${policy.number}`)
    sheet.text(LEFT, 130, `Named Insured: ${policy.insured}`)
    sheet.text(LEFT, 148, `Mailing Address: ${policy.mailing.join(', ')}`)
    sheet.text(LEFT, 166, `Policy Period: From ${americanDay(policy.start)} To ${americanDay(endOf(policy))}`)
    sheet.text(LEFT, 184, `Producer: ${policy.agency}`)
    sheet.line(212)
    sheet.text(LEFT, 218, 'Coverage Part', { bold: true })
    sheet.right(RIGHT, 218, 'Premium', { bold: true })
    sheet.line(232)
    policy.parts.forEach(([label, cents], index) => {
      sheet.text(LEFT, 238 + index * 18, label)
      sheet.right(RIGHT, 238 + index * 18, `$ ${grouped(cents)}`)
    })
    const y = 238 + policy.parts.length * 18
    sheet.line(y)
    sheet.text(LEFT, y + 6, 'Total Premium', { bold: true })
    sheet.right(RIGHT, y + 6, total, { bold: true })
    sheet.text(LEFT, y + 40, 'Forms applicable: IL 00 17 11 98, CP 00 10 10 12, CG 00 01 04 13')
  }
}

/** A renewal bill with the premium first and the policy's own number last, among numbers of other kinds. */
export function premiumFirst(policy: Policy): (sheet: Sheet) => void {
  return sheet => {
    title(sheet, policy, 'Renewal Declarations - Personal Auto Policy')
    sheet.text(LEFT, 112, `Total premium for the policy period: ${dollars(totalOf(policy))}`, { bold: true })
    policy.parts.forEach(([label, cents], index) => {
      sheet.text(LEFT, 136 + index * 16, label)
      sheet.right(300, 136 + index * 16, dollars(cents))
    })
    sheet.text(LEFT, 190, 'Billing Account Number: 5502-118-773')
    sheet.text(LEFT, 208, 'Prior Policy Number: MFX 77-219-4410')
    sheet.text(LEFT, 226, 'Date Prepared: December 19, 2024')
    sheet.text(LEFT, 262, 'Insured')
    sheet.text(200, 262, policy.insured)
    sheet.text(200, 276, policy.mailing[0])
    sheet.text(200, 290, policy.mailing[1])
    sheet.text(LEFT, 320, 'Policy period')
    sheet.text(200, 320, `${longDay(policy.start)} to ${longDay(endOf(policy))}`)
    sheet.text(LEFT, 344, 'Policy number')
    sheet.text(200, 344, policy.number)
    sheet.text(LEFT, 368, 'Underwritten by')
    sheet.text(200, 368, policy.carrier)
  }
}

/** The form as printed, nobody having filled it in. */
export function unfilled(policy: Policy): (sheet: Sheet) => void {
  return sheet => {
    title(sheet, policy, 'Homeowners Policy Declarations')
    const labels = ['Policy Number:', 'Named Insured:', 'Mailing Address:', 'Effective Date:', 'Expiration Date:']
    const all = [...labels, 'Total Policy Premium: $']
    all.forEach((label, index) => {
      sheet.text(LEFT, 112 + index * 24, `${label} ______________________________`)
    })
  }
}

/** A letter that speaks of a policy and is none. */
export function coverLetter(policy: Policy): (sheet: Sheet) => void {
  return sheet => {
    sheet.text(LEFT, 72, policy.agency, { size: 12, bold: true })
    sheet.text(LEFT, 110, 'January 14, 2025')
    const text = [
      `Dear ${policy.insured},`,
      'Thank you for speaking with us last week. We looked at what you asked about and will come back to you with a proposal before the end of the month. Nothing needs to be signed or paid at this time.',
      'Please bring the photographs of the workshop when we meet. Our office is open on weekdays from nine to five.',
      'With kind regards,'
    ]
    let y = 140
    for (const part of text) y += sheet.paragraph(y, part) + 12
  }
}
