import { dollars, grouped } from '../../../../samples/generate/amounts.ts'
import { americanDay, type Day, longDay } from '../../../../samples/generate/calendar.ts'
import { type Block, docxOf } from '../../../../samples/generate/documents/docx.ts'
import { pdfOf } from '../ink.ts'
import {
  ADDRESS,
  CARRIER,
  END,
  furnitureOf,
  INSURED,
  NUMBER,
  PERIOD,
  type PolicyLayout,
  premiums,
  START,
  TOTAL,
  title
} from './wording.ts'

const spaced: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
    const date = random.pick([americanDay, longDay])
    ink.text(54, 46, facts.carrier, { size: 13, bold: true, twice: true })
    ink.text(54, 66, 'POLICY DECLARATIONS', { size: 12, spacing: 4 })
    const rows = [
      [random.pick(NUMBER), facts.number],
      [random.pick(INSURED), facts.insured],
      [random.pick(PERIOD), `${date(facts.start)} ${random.pick(['to', '-', 'through'])} ${date(facts.end)}`]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 110 + index * 30, label, { size: 8, spacing: random.pick([0, 1.5]), twice: true })
      ink.text(60, 122 + index * 30, value, { twice: random.below(2) === 0 })
    })
    premiums(ink, facts, 220, random.pick(TOTAL))
  })

const leaders: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { font: random.pick(['Courier', 'Helvetica'] as const) }), ink => {
    const date = random.pick([americanDay, longDay])
    title(ink, facts, 'Evidence of Insurance')
    const rows = [
      [random.pick(NUMBER), facts.number],
      [random.pick(INSURED), facts.insured],
      [random.pick(START), date(facts.start)],
      [random.pick(END), date(facts.end)],
      [random.pick(TOTAL), dollars(facts.total)],
      ['Customer Number', facts.account]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 110 + index * 18, `${label} ${'.'.repeat(34 - label.length)} ${value}`)
    })
  })

const long: PolicyLayout = (facts, random) =>
  pdfOf(
    furnitureOf(random, {
      font: 'Times',
      header: `${facts.carrier}   Policy Number: ${facts.number}`,
      footer: page => `Form ND 00 12 (01-24)  Page ${page}  Insured Copy`
    }),
    ink => {
      ink.text(54, 60, 'Homeowners Policy Declarations', { size: 13, bold: true })
      const rows = [
        [random.pick(INSURED), facts.insured],
        ['Property Location', facts.address.join(', ')],
        [random.pick(PERIOD), `${longDay(facts.start)} to ${longDay(facts.end)}`],
        ['Mortgagee', 'Cobblestone Savings Bank ISAOA']
      ] as const
      rows.forEach(([label, value], index) => {
        ink.text(60, 90 + index * 18, label, { bold: true })
        ink.text(220, 90 + index * 18, value)
      })
      premiums(ink, facts, 190, random.pick(TOTAL))
      const clause =
        'We will pay only that part of the loss that exceeds the deductible shown in the declarations. For example, a loss of $1,250.00 with a deductible of $500.00 is paid with $750.00. If this policy replaces a prior policy, losses before its effective date are not covered.'
      let y = 300
      for (let turn = 0; turn < 14; turn += 1) y = ink.flow(60, y, `${turn + 1}. ${clause}`)
    }
  )

const sides: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random, { size: 9, font: 'Helvetica' }), ink => {
    const date = random.pick([longDay, americanDay])
    ink.text(54, 40, facts.carrier, { bold: true })
    ink.text(340, 40, 'Personal Auto Declarations', { bold: true })
    ;[facts.insured, ...facts.address].forEach((line, index) => ink.text(54, 90 + index * 12, line))
    const right = [
      [random.pick(NUMBER), facts.number],
      [random.pick(INSURED), facts.insured],
      ['Policy effective', date(facts.start)],
      ['Policy expires', date(facts.end)],
      [random.pick(CARRIER), facts.carrier]
    ] as const
    right.forEach(([label, value], index) => {
      ink.text(340, 90 + index * 26, label, { size: 7 })
      ink.text(340, 100 + index * 26, value)
    })
    ink.text(54, 150, 'Drivers', { bold: true })
    ink.text(54, 164, facts.other)
    premiums(ink, facts, 250, random.pick(TOTAL))
    ink.text(60, 330, 'Amount paid with last renewal: $912.40')
  })

const british: PolicyLayout = (facts, random) =>
  pdfOf(furnitureOf(random), ink => {
    const pounds = (cents: number): string => `£${grouped(cents)}`
    const date = ({ year, month, day }: Day): string => `${day} ${longDay({ year, month, day }).split(' ')[0]} ${year}`
    ink.text(54, 46, 'Certificate of Motor Insurance and Policy Schedule', { size: 13, bold: true })
    const rows = [
      ['Policy number', facts.number],
      [random.pick(['Policyholder', 'Insured', 'Name of policyholder']), facts.insured],
      [random.pick(['Period of insurance', 'Period of cover']), `${date(facts.start)} to ${date(facts.end)}`],
      ['Insurer', facts.carrier],
      [random.pick(['Total premium', 'Annual premium', 'Total payable']), pounds(facts.total)]
    ] as const
    rows.forEach(([label, value], index) => {
      ink.text(60, 90 + index * 20, label, { bold: true })
      ink.text(240, 90 + index * 20, value)
    })
    ink.text(60, 210, 'Excess £250.00. No claims discount: 5 years.')
  })

const word: PolicyLayout = async (facts, random) => {
  const date = random.pick([longDay, americanDay])
  const blocks: Block[] = [
    { heading: 'Policy Declarations' },
    { paragraph: `${random.pick(CARRIER)}: ${facts.carrier}` },
    {
      table: [
        [random.pick(NUMBER), facts.number],
        [random.pick(INSURED), facts.insured],
        [random.pick(ADDRESS), facts.address.join(', ')],
        [random.pick(PERIOD), `${date(facts.start)} to ${date(facts.end)}`]
      ]
    },
    {
      table: [
        ['Coverage', 'Premium'],
        ...facts.parts.map(([label, cents]) => [label, dollars(cents)]),
        [random.pick(TOTAL), dollars(facts.total)]
      ]
    }
  ]
  return docxOf(blocks)
}

/** Layouts with their text spaced, led, spread over pages and columns, by name. */
export const POLICY_PAGES: Readonly<Record<string, PolicyLayout>> = {
  spaced,
  leaders,
  long,
  sides,
  british,
  word
}
