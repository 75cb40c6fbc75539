import { dollars } from '../../../../samples/generate/amounts.ts'
import { americanDay, type Day, longDay } from '../../../../samples/generate/calendar.ts'
import type { Random } from '../../../../samples/generate/random.ts'
import type { PolicyFacts } from '../facts.ts'
import type { Furniture, Ink } from '../ink.ts'

/** Draws a policy in one layout. `random` chooses among wordings that mean the same. */
export type PolicyLayout = (facts: PolicyFacts, random: Random) => Promise<Buffer>

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
export const shortDay = ({ year, month, day }: Day): string => `${MONTHS[month - 1]} ${day}, ${year}`
export const dashedDay = (day: Day): string => americanDay(day).replaceAll('/', '-')

export const NUMBER = ['Policy Number', 'Policy No.', 'POLICY NUMBER', 'Your Policy Number', 'Policy #']
export const INSURED = ['Named Insured', 'NAMED INSURED', 'First Named Insured', 'Policyholder', 'Insured']
export const START = ['Effective Date', 'Policy Effective Date', 'Inception Date', 'Effective', 'Coverage Begins']
export const END = ['Expiration Date', 'Policy Expiration Date', 'Expiry Date', 'Expiration', 'Coverage Ends']
export const TOTAL = [
  'Total Premium',
  'Total Policy Premium',
  'TOTAL ANNUAL PREMIUM',
  'Total Premium Due',
  'Total Policy Cost'
]
export const PERIOD = ['Policy Period', 'POLICY PERIOD', 'Policy Term', 'Coverage Period']
export const ADDRESS = ['Mailing Address', 'Insured Mailing Address', 'Address']
export const AGENT = ['Agent', 'Producer', 'Agency', 'Your Agent']
export const CARRIER = ['Insurer', 'Underwritten by', 'Issuing Company', 'Insurance Company', 'Coverage provided by']

export const furnitureOf = (random: Random, more: Partial<Furniture> = {}): Furniture => ({
  font: random.pick(['Helvetica', 'Helvetica', 'Times', 'Courier'] as const),
  size: 9 + random.below(2),
  ...more
})

export const FIGURES = [longDay, americanDay, shortDay, dashedDay] as const

export function title(ink: Ink, facts: PolicyFacts, text: string): void {
  ink.text(54, 46, facts.carrier, { size: 14, bold: true })
  ink.text(54, 66, text, { size: 12, bold: true })
}

/** Parts and their total below one another, amounts flush right. */
export function premiums(ink: Ink, facts: PolicyFacts, y: number, total: string): void {
  facts.parts.forEach(([label, cents], index) => {
    ink.text(60, y + index * 15, label)
    ink.right(500, y + index * 15, dollars(cents))
  })
  const at = y + facts.parts.length * 15 + 4
  ink.text(60, at, total, { bold: true })
  ink.right(500, at, dollars(facts.total), { bold: true })
}
