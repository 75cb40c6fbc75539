import type { Json } from '../../../model/json.ts'
import { readFormNumber } from '../../../normalize/codes/form-number.ts'
import type { Evidence } from '../../find/evidence.ts'
import { originAt } from '../../find/layout/prose.ts'
import type { View } from '../../find/view.ts'
import { LISTED } from './coverages.ts'

/** A form number and, where it is printed, its edition: `CG 00 01 04 13`, `CG2010 (04/13)`, `HO-04-90`, `WC 00 00 01 A`. */
const FORM =
  /(?<![\p{L}\d])(?:WC[ -]?\d{2}[ -]?\d{2}[ -]?\d{2}(?:[ -]?[A-Z](?![\p{L}]))?|[A-Z]{2}[ -]?\d{2}[ -]?\d{2}(?: ?\(?\d{2}[ /-]?\d{2}\)?)?)(?![\d/-]|[ ]?,\d{3})/gu
/** Without the words of a list of forms near it, two letters and four digits may be anything: a part number, a road. */
const ANNOUNCED = /\b(?:forms?|endorsements?|schedule of forms|made (?:a )?part of|edition)\b/i
const NEAR = 1200
const MOST = 300

const TITLE = /^ ?(?:[-–—:] ?)?(\p{Lu}[\p{L}&/,'’ -]{5,80}?)(?= ;|$| [A-Z]{2} ?\d{2} ?\d{2}|\.|\d)/u

/** Forms and endorsements a declaration lists, page breaks aside, each once. */
export function formsOf(view: View): Evidence[] {
  const { text } = view.prose
  const found = new Map<string, { item: Record<string, Json>; start: number; end: number }>()
  for (const match of [...text.matchAll(FORM)].slice(0, MOST)) {
    const form = readFormNumber(match[0])
    if (!form || !(form.bureau !== null || form.edition !== null)) continue
    if (!ANNOUNCED.test(text.slice(Math.max(0, match.index - NEAR), match.index + 200))) continue
    const end = match.index + match[0].length
    const title = TITLE.exec(text.slice(end, end + 120))?.[1]?.trim()
    const number = form.revision === null ? form.number : `${form.number} ${form.revision}`
    const key = `${number}/${form.edition ?? ''}`
    if (found.has(key)) continue
    const item = {
      form_number: number,
      ...(form.edition === null ? {} : { edition: form.edition }),
      ...(title === undefined ? {} : { title })
    }
    found.set(key, { item, start: match.index, end })
  }
  const all = [...found.values()]
  const [first] = all
  const origin = first ? originAt(view.prose, first.start, first.end) : null
  if (!first || !origin) return []
  const raw = text.slice(first.start, first.end)
  const value = all.map(({ item }) => item)
  return [{ field: 'endorsements', value, raw, origin, status: 'found', flags: [], score: LISTED, via: 'forms' }]
}
