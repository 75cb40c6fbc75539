import { blockFrom } from './layout/neighbours.ts'
import { segmentsWithin } from './layout/sheet.ts'
import { opensWithLabel, type Slot, slotText } from './layout/slots.ts'
import { evidenceOf, firstOf, isBesideOther, isOfOtherRow } from './readers.ts'
import { addressFit, readAddress } from './values/address.ts'
import type { SlotReader, View } from './view.ts'

/** A line of running text ends near the right margin; the next one goes on with it. */
const isFullLine = ({ segment, to }: Slot): boolean => to === segment.tokens.length && segment.box[2] > 0.7

const TOWN_CAPTION = /^city(?:,? ?(?:\/|and)? ?(?:state|st|town))?(?:,? ?(?:\/|and)? ?zip(?: code)?)?:? ?$/i

/** `City, State, Zip:` on the line below an address without them gives the rest of it. */
function withTown(address: string | null, { segment }: Slot, view: View): string | null {
  if (address === null || /\b\d{5}\b/.test(address.slice(6))) return address
  const height = segment.box[3] - segment.box[1]
  for (const below of segmentsWithin(view.sheet, segment.page, segment.box[3], segment.box[3] + height * 1.5)) {
    const [caption = '', own = ''] = below.text.split(/(?<=:) /)
    if (below === segment || !TOWN_CAPTION.test(caption)) continue
    const town =
      own ||
      (segmentsWithin(view.sheet, below.page, below.box[1], below.box[3]).find(
        one => one.box[0] >= below.box[2] && one.box[1] < below.box[3]
      )?.text ??
        '')
    return /\p{L}{3}/u.test(town) ? `${address}, ${town}` : address
  }
  return address
}

const UNIT_LINE =
  /^(?:suite|unit|apt\.?|apartment|room|floor|building|bldg\.?|p\.?o\.? box) #?[\w-]{1,10}$|^\w{2,10} floor$/i
const TOWN_LINE =
  /^\p{Lu}[\p{L} .'’-]{2,30}, ?(?:[A-Z]{2}|\p{Lu}\p{Ll}{3,}(?: \p{Lu}\p{Ll}{3,})?) ?,? ?\d{5}(?:-\d{4})?$/u
/** How far apart the lines of an address stand that empty lines part, in heights of its text. */
const SPACED = 2.6

/** The unit and the town of an address whose lines empty ones part: nothing else is written like them. */
function withLinesBelow(address: string | null, { segment }: Slot, view: View): string | null {
  if (address === null || /\b\d{5}\b/.test(address.slice(6))) return address
  const height = segment.box[3] - segment.box[1]
  let below = segment
  let whole = address
  for (let line = 0; line < 2; line += 1) {
    const next = segmentsWithin(view.sheet, below.page, below.box[3], below.box[3] + height * SPACED).find(
      one => one.box[1] >= below.box[3] - height * 0.3
    )
    if (!next) return address
    const text = next.text.replace(/\s+/g, ' ')
    if (TOWN_LINE.test(text)) return `${whole}, ${text}`
    if (!UNIT_LINE.test(text)) return address
    whole = `${whole}, ${text}`
    below = next
  }
  return address
}

/** An address: one line, or the lines of its block joined with commas. */
export const addressReader: SlotReader = (slots, hit, view) =>
  firstOf(slots, hit, slot => {
    const reach = slot.from === 0 ? 4 : isFullLine(slot) ? 2 : 1
    const lines = blockFrom(view.sheet, slot.segment, reach).slice(1)
    const more: string[] = []
    for (const segment of lines) {
      if (opensWithLabel(view.labels, segment) || !/\d|,/.test(segment.text) || segment.text.length > 60) break
      if (isOfOtherRow(slot, segment, view) || isBesideOther(slot, hit, segment, view)) break
      more.push(segment.text)
    }
    const first = slotText(slot)
    const text =
      looksLikeWhole(first) && !(isFullLine(slot) && reach === 2 && !/\b\d{5}\b/.test(first.slice(6)))
        ? first
        : [first, ...more].join(/\d/.test(first) ? ', ' : ' ')
    const value = withTown(withLinesBelow(readAddress(text), slot, view), slot, view)
    if (!value || (hit.form === 'lead' && /^[a-z]/.test(first))) return null
    return evidenceOf(
      { slot, hit, from: slot.from, to: slot.to },
      { value, status: 'found', flags: [] },
      addressFit(value)
    )
  })

const looksLikeWhole = (text: string): boolean => /\b\d{5}\b/.test(text.slice(6)) || text.length > 60
