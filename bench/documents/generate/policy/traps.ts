import { dollars } from '../../../../samples/generate/amounts.ts'
import { longDay } from '../../../../samples/generate/calendar.ts'
import type { Random } from '../../../../samples/generate/random.ts'
import type { PolicyFacts } from '../facts.ts'
import { type Ink, pdfOf } from '../ink.ts'

/** Fields that a document with a trap does not state, although something stands there. */
export interface Trap {
  readonly hidden: readonly string[]
  readonly draw: (facts: PolicyFacts, random: Random) => Promise<Buffer>
}

const FURNITURE = { font: 'Helvetica', size: 10 } as const

interface Row {
  readonly label: string
  readonly value: string
  readonly field: string
}

const rowsOf = (facts: PolicyFacts): Row[] => [
  { label: 'Policy Number:', value: facts.number, field: 'policy_number' },
  { label: 'Named Insured:', value: facts.insured, field: 'named_insured' },
  { label: 'Effective Date:', value: longDay(facts.start), field: 'effective_date' },
  { label: 'Expiration Date:', value: longDay(facts.end), field: 'expiration_date' },
  { label: 'Total Premium:', value: dollars(facts.total), field: 'premium_total' }
]

const yOf = (index: number): number => 110 + index * 22

function declaration(ink: Ink, facts: PolicyFacts, draw: (row: Row, y: number) => void): void {
  ink.text(60, 50, facts.carrier, { bold: true })
  ink.text(60, 70, 'Policy Declarations', { bold: true })
  for (const [index, row] of rowsOf(facts).entries()) {
    ink.text(60, yOf(index), row.label)
    draw(row, yOf(index))
  }
}

const HIDABLE = ['policy_number', 'named_insured', 'premium_total']

const without = (hidden: string, cover: (ink: Ink, row: Row, y: number) => void): Trap => ({
  hidden: [hidden],
  draw: facts =>
    pdfOf(FURNITURE, ink =>
      declaration(ink, facts, (row, y) => {
        if (row.field === hidden) cover(ink, row, y)
        else ink.text(200, y, row.value)
      })
    )
})

/** Drawn first and then covered in black, as a hasty redaction is: the text is still in the file. */
const redacted = (field: string): Trap =>
  without(field, (ink, row, y) => {
    ink.text(200, y, row.value)
    ink.fill(196, y - 3, [160, 16], 'black')
  })

/** Painted over in white. */
const whitened = (field: string): Trap =>
  without(field, (ink, row, y) => {
    ink.text(200, y, row.value)
    ink.fill(196, y - 3, [160, 16], 'white')
  })

/** Written in the colour of the paper. */
const invisible = (field: string): Trap =>
  without(field, (ink, row, y) => ink.text(200, y, row.value, { colour: 'white' }))

const blank = (field: string): Trap => without(field, (ink, _, y) => ink.text(200, y, '______________________'))

/** The number of another policy in white beside the one that is seen, which is what the document states. */
const decoy: Trap = {
  hidden: [],
  draw: facts =>
    pdfOf(FURNITURE, ink => {
      ink.text(320, 90, `Policy Number: ${facts.prior}`, { colour: 'white' })
      declaration(ink, facts, (row, y) => ink.text(200, y, row.value))
      ink.text(60, 260, `Example: Policy Number: ${facts.account}`)
    })
}

/** White letters on a dark bar are seen by everybody. */
const inverse: Trap = {
  hidden: [],
  draw: facts =>
    pdfOf(FURNITURE, ink => {
      ink.fill(54, 100, [500, 120], '#224466')
      declaration(ink, facts, (row, y) => ink.text(200, y, row.value, { colour: 'white' }))
    })
}

/** Documents with a trap, by name. */
export const TRAPS: Readonly<Record<string, Trap>> = {
  ...Object.fromEntries(
    HIDABLE.flatMap(field => [
      [`redacted-${field}`, redacted(field)],
      [`whitened-${field}`, whitened(field)],
      [`invisible-${field}`, invisible(field)],
      [`blank-${field}`, blank(field)]
    ])
  ),
  decoy,
  inverse
}
