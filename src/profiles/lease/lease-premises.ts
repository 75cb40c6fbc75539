import { readInteger } from '../../normalize/number.ts'
import type { Evidence } from '../find/evidence.ts'
import { originAt } from '../find/layout/prose.ts'
import { addressFit, readAddress } from '../find/values/address.ts'
import type { View } from '../find/view.ts'

interface Cue {
  readonly pattern: RegExp
  readonly score: number
}

/** Words that announce the address of what is let, surest first. */
const CUES: readonly Cue[] = [
  { score: 0.9, pattern: /\b(?:having a )?street address of /gi },
  { score: 0.9, pattern: /\breal property described as:? /gi },
  {
    score: 0.86,
    pattern:
      /\b(?:premises|property|building|facilities|buildings|space|apartment|unit|house|dwelling)\b[^.;:("“]{0,90}\b(?:located|situated|lying)(?: and being)? (?:at|in the building (?:located )?at):? /gi
  },
  {
    score: 0.86,
    pattern: /\b(?:premises|property|building|apartment)\b[^.;:("“]{0,50}\b(?:commonly |also |otherwise )?known as:? /gi
  },
  { score: 0.8, pattern: /["”]premises["”]\)? (?:at|located at) /gi },
  {
    score: 0.82,
    pattern: /\b(?:premises|property|building)["”]?(?: address)? (?:means|is|shall mean)[^.;]{0,80}\b(?:at|as) /gi
  }
]

/** What makes the place another one: where a party has its office, where notices go, where rent is paid. */
const OTHER_PLACE =
  /\b(?:place of business|having an (?:address|office)|notices?|mailing address|offices? (?:located|at)|whose address|residing|payable|corporation)\b[^.;]{0,60}$/i

/** What an address gains that the document itself calls the premises. */
const DEFINED = 0.06

/** How far an address may start after its announcement, and how much text it may take. */
const LONGEST = 300

/** Addresses of the premises as sentences state them. */
export function sentencePremises(view: View): Evidence[] {
  const { text } = view.prose
  return CUES.flatMap(({ pattern, score }) =>
    [...text.slice(0, 60_000).matchAll(pattern)].slice(0, 20).flatMap(match => {
      const start = match.index + match[0].length
      if (OTHER_PLACE.test(text.slice(Math.max(0, match.index - 60), start))) return []
      const value = readAddress(text.slice(start, start + LONGEST))
      if (!value) return []
      const at = text.indexOf(value, start)
      const origin = originAt(view.prose, at < 0 ? start : at, (at < 0 ? start : at) + value.length)
      if (!origin) return []
      const isDefined =
        /^[ ,.)]*\(?(?:the |hereinafter[^"“]{0,30})?["“'‘]{1,2}(?:the )?(?:leased |demised )?(?:premises|property)/i.test(
          text.slice((at < 0 ? start : at) + value.length, (at < 0 ? start : at) + value.length + 60)
        )
      return [
        {
          field: 'property_address',
          value,
          raw: value,
          origin,
          status: 'found' as const,
          flags: [],
          score: Math.min(1, score * addressFit(value) + (isDefined ? DEFINED : 0)),
          via: 'sentence'
        }
      ]
    })
  )
}

const AREA =
  /(approximately |about |approx\. )?(\d{1,3}(?:,\d{3}){1,2}|\d{3,6}) (?:net )?(rentable )?(?:square f(?:ee|oo)t|sq\.? ?ft\.?|rsf)\b(?: of (?:net )?(rentable))?/gi

/** The area of the premises as sentences state it. */
export function sentenceAreas(view: View): Evidence[] {
  const { text } = view.prose
  return [...text.slice(0, 60_000).matchAll(AREA)].slice(0, 20).flatMap(match => {
    const before = text.slice(Math.max(0, match.index - 120), match.index)
    const after = text.slice(match.index, match.index + 140)
    const isPremises = /\b(?:premises|leases?|demises?|space|suite|containing|consisting|comprising)\b/i.test(
      before + after
    )
    const isBuilding =
      /\b(?:building|project|complex|center) (?:contains?|consist\w*|compris\w*|of)\b[^.]{0,40}$/i.test(before)
    const origin = originAt(view.prose, match.index, match.index + match[0].length)
    if (!origin || !isPremises || isBuilding) return []
    const reading = readInteger(match[2] ?? '', view.context)
    const flags = match[1] ? [...reading.flags, 'APPROXIMATE'] : reading.flags
    const score = (match[3] ?? match[4]) ? 0.86 : 0.8
    return [
      {
        field: 'rentable_sqft',
        value: reading.value,
        raw: match[0],
        origin,
        status: reading.status,
        flags,
        score,
        via: 'sentence'
      }
    ]
  })
}
