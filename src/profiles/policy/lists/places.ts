import type { Evidence } from '../../find/evidence.ts'
import { blockFrom } from '../../find/layout/neighbours.ts'
import { originOf } from '../../find/layout/sheet.ts'
import { slotsOf, slotText } from '../../find/layout/slots.ts'
import { originOfRow, rowsOf } from '../../find/layout/tables.ts'
import { readAddress } from '../../find/values/address.ts'
import type { View } from '../../find/view.ts'
import { LISTED } from './coverages.ts'

const ZIP_END = /\b[A-Z]{2} \d{5}(?:-\d{4})?\b/
/** A row of a schedule of premises: number of the location, of the building, and the address. */
const SCHEDULED = /^(?:(?:loc(?:ation)?|prem(?:ises)?|bldg|building)\.? ?(?:no\.? ?|# ?)?)?\d{1,3}$/i

const LABEL = /(?<![A-Z])[A-Z]{3,20}:/

/** Addresses behind labels such as `Insured Location`, on one line or in the lines below. */
function labelled(view: View): Evidence[] {
  return view.labels.hits
    .filter(hit => hit.key === 'location')
    .slice(0, 20)
    .flatMap(hit => {
      for (const slot of slotsOf(view.labels, hit, view.sheet).slice(0, 2)) {
        const lines = slot.from > 0 ? [] : blockFrom(view.sheet, slot.segment, 3).slice(1)
        const own = slotText(slot)
        const text = ZIP_END.test(own) ? own : [own, ...lines.map(line => line.text)].join(', ')
        const address = readAddress(text)
        if (address) return [evidence(address, originOf(slot.segment, slot.from, slot.to))]
      }
      return []
    })
}

const evidence = (address: string, origin: Evidence['origin']): Evidence => ({
  field: 'insured_locations',
  value: [address],
  raw: address,
  origin,
  status: 'found',
  flags: [],
  score: LISTED,
  via: 'location'
})

function scheduled(view: View): Evidence[] {
  return rowsOf(view.sheet).flatMap(row => {
    const [first, ...rest] = row.cells
    if (!first || !SCHEDULED.test(first.text)) return []
    const address = rest
      .map(({ text, lines }) => (lines ?? [text]).join(', ').replaceAll(',,', ','))
      .filter(text => ZIP_END.test(text))
      // In a box of a form labels stand between the values, in one cell.
      .flatMap(text =>
        text.split(LABEL).map(part => readAddress(part.replace(/^[\s,]{1,3}|(?<![\s,])[\s,]{1,3}$/g, '')))
      )
      .find(read => read !== null)
    const origin = originOfRow(row)
    return address && origin ? [evidence(address, origin)] : []
  })
}

/** The places a policy covers, each once. */
export function locationsOf(view: View): Evidence[] {
  const all = [...labelled(view), ...scheduled(view)]
  const [first] = all
  if (!first) return []
  const texts = all.map(piece => piece.raw)
  return [{ ...first, value: [...new Map(texts.map(text => [text.toLowerCase(), text])).values()] }]
}
