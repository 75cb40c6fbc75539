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
    const cell = rest.find(one => ZIP_END.test(one.text) && readAddress(one.text) !== null)
    const origin = cell ? originOfRow(row) : null
    return cell && origin ? [evidence(readAddress(cell.text) ?? '', origin)] : []
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
