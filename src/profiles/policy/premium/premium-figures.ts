import type { Box } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import { readMoney } from '../../../normalize/money.ts'
import { originOf, type Segment } from '../../find/layout/sheet.ts'
import { unionOf } from '../../find/layout/token.ts'
import { mentionPiece } from '../../find/readers.ts'
import { type AmountMention, findAmounts } from '../../find/values/mentions.ts'
import type { View } from '../../find/view.ts'

/** One amount of a document where it stands. */
export interface Figure {
  readonly amount: string
  readonly segment: Segment
  /** Words of its own segment before it. */
  readonly lead: string
  /** True when its segment holds no other amount. */
  readonly isOnly: boolean
  readonly box: Box
  readonly origin: Origin
}

/** A cell with nothing but a whole number is an amount when its column is added up; its sign stands in a cell of its own. */
function amountsOf(text: string): AmountMention[] {
  if (/^\d{1,6}$/.test(text)) return [{ raw: text, start: 0, end: text.length, symbol: null, per: null }]
  return findAmounts(text)
}

const NO_LABEL = { key: '', weight: 1, phrase: '', from: 0, to: 0, form: 'colon' } as const

function figuresIn(segment: Segment, view: View): Figure[] {
  const amounts = amountsOf(segment.text)
  return amounts.flatMap(amount => {
    const slot = { segment, from: 0, to: segment.tokens.length, via: 'inline', fit: 1 } as const
    const { from, to } = mentionPiece(slot, { ...NO_LABEL, segment }, amount)
    const { value } = readMoney(amount.raw.replace(/^US ?(?=\$)/, ''), view.context)
    if (value === null) return []
    const box = unionOf(segment.tokens.slice(from, to).map(token => token.box))
    return [
      {
        amount: value,
        segment,
        lead: segment.text.slice(0, amount.start).trim(),
        isOnly: amounts.length === 1,
        box,
        origin: originOf(segment, from, to)
      }
    ]
  })
}

/** Every amount of a document, in reading order. */
export function figuresOf(view: View): Figure[] {
  return view.sheet.segments.flatMap(segment => figuresIn(segment, view))
}

/** Right edges of one column differ by less, as a share of the page: widths of words in a mixed line are estimates. */
const ALIGNED = 0.03
/** Left edges of one column differ by less. */
const ALIGNED_LEFT = 0.012

/** True for two amounts of one column: flush right as print sets them, flush left as cells do, or in lines of one list. */
export function isOneColumn(a: Figure, b: Figure): boolean {
  if (Math.abs(a.box[2] - b.box[2]) < ALIGNED || Math.abs(a.box[0] - b.box[0]) < ALIGNED_LEFT) return true
  const isList = a.lead !== '' && b.lead !== '' && a.isOnly && b.isOnly
  return isList && Math.abs(a.segment.box[0] - b.segment.box[0]) < ALIGNED_LEFT
}

/** How far apart the right edges of two amounts are, as a share of the page. */
export const rightGap = (a: Figure, b: Figure): number => Math.abs(a.box[2] - b.box[2])
