import type { FieldType } from '../profile.ts'
import { addressReader } from './address-reader.ts'
import type { Evidence } from './evidence.ts'
import type { LabelHit } from './layout/labels.ts'
import { slotsOf } from './layout/slots.ts'
import { dateReader, integerReader, moneyReader, nameReader, numberReader, textReader } from './readers.ts'
import type { FindPlan, SlotReader, View } from './view.ts'

const READERS: Readonly<Record<FieldType, SlotReader | null>> = {
  text: textReader,
  identifier: numberReader,
  name: nameReader,
  address: addressReader,
  date: dateReader,
  money: moneyReader,
  integer: integerReader,
  decimal: integerReader,
  boolean: null,
  enum: null,
  list: null
}

/** Labels of one key looked at; a long document repeats them on every page and the first ones tell all. */
const MOST_HITS = 60

/** `Example: Policy Number: 12345` shows where to look, not what is. */
const EXAMPLE = /\b(?:examples?|samples?|specimen|e\.g\.|for instance)\b/i

function isExample({ segment, from }: LabelHit): boolean {
  return EXAMPLE.test(
    segment.tokens
      .slice(Math.max(0, from - 6), from)
      .map(token => token.text)
      .join(' ')
  )
}

/** The view that one label's place is read with: look-alikes are repaired in recognised text and in no other. */
function viewsOf(view: View): (hit: LabelHit) => View {
  const bySource = {
    text: { ...view, context: { ...view.context, source: 'text' as const } },
    ocr: { ...view, context: { ...view.context, source: 'ocr' as const } }
  }
  return ({ segment }) => bySource[segment.tokens.some(token => token.source === 'ocr') ? 'ocr' : 'text']
}

/** `From` and `To` over a column head the steps of a schedule: the first date below them is no date of the whole. */
const isStepHeading = ({ isApart, phrase }: LabelHit): boolean =>
  isApart === true && /^(?:from|to|until|start|end|begin)$/i.test(phrase)

/** What every label of a document offers for its field. */
export function labelEvidence(plan: FindPlan, view: View): Evidence[] {
  const found: Evidence[] = []
  const looked = new Map<string, number>()
  const viewAt = viewsOf(view)
  for (const hit of view.labels.hits) {
    const field = view.profile.fields[hit.key]
    const reader = plan.readers[hit.key] ?? (field ? READERS[field.type] : null)
    const count = looked.get(hit.key) ?? 0
    if (!reader || count >= MOST_HITS || isExample(hit)) continue
    looked.set(hit.key, count + 1)
    const slots = slotsOf(view.labels, hit, view.sheet).filter(slot => slot.via !== 'below' || !isStepHeading(hit))
    const evidence = reader(slots, hit, viewAt(hit))
    if (evidence) found.push(evidence)
  }
  return found
}
