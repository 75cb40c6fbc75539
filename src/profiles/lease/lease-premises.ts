import { readInteger } from '../../normalize/number.ts'
import type { Evidence } from '../find/evidence.ts'
import { originAt } from '../find/layout/prose.ts'
import { addressFit, OF_PARTY, readAddress } from '../find/values/address.ts'
import type { View } from '../find/view.ts'

interface Cue {
  readonly pattern: RegExp
  readonly score: number
  /** Names the premises whatever else its words may announce. */
  readonly isOwn?: true
  /** Words in the announcement that make the address another's. */
  readonly unless?: RegExp
}

/** `owner of the building, with an address of`: the owner's. */
const OWNER_OF = /\b(?:owners?|managers?) of (?:the |said |an? )?$/i
/** `takes rent at the following address`: where rent or notices go. */
const OF_PAYMENT = /\b(?:rent(?! to\b)|pay(?:s|able|ments?)?|paid|notices?|checks?|mail(?:ed)?|send|sent)\b/i

/** `for 9 Mill Street, Lowell, MA 01852 (the "Premises")`: what is called the premises right behind it. */
const CALLED =
  /\b(?:at|for|as|of|in|to):? (?=(?:(?:suite|unit|apartment) [\w-]+,? )?\d[^;("“]{8,120}?,? ?\((?:the |hereinafter |collectively,? )*["“](?:leased |demised |existing |original |current |initial |subleased )?(?:premises|property)["”])/gi

/** Words that announce the address of what is let, surest first. */
const CUES: readonly Cue[] = [
  { score: 0.9, pattern: /\b(?:having a )?street address of /gi },
  { score: 0.9, pattern: /\breal property described as:? /gi },
  {
    score: 0.86,
    pattern:
      /\b(?:premises|property|building|facilities|buildings|space|apartment|unit|house|home|dwelling|warehouse|store|suite|office|condominium|facility|land|acres|parcel|tract|farm|lot|lots|real estate|hangar|classrooms|site|barn|garage|studio)\b(?:[^.;:("“]|\bno\.){0,90}\b(?:located|situated|lying)(?: and being)? (?:at|in the building (?:located )?at):? /gi
  },
  {
    score: 0.86,
    pattern:
      /\b(?:premises|property|building|apartment|house|home|dwelling|warehouse|store|space|shop|land|office)\b[^.;:("“]{0,50}\b(?:commonly |also |otherwise )?(?:known|described) as:? /gi
  },
  {
    score: 0.84,
    pattern: /\b(?:rent|lease|occupy) (?:the )?(?:apartment|unit|suite|house|space)\b[^;:("“]{0,30}? at (?=\d)/gi
  },
  {
    score: 0.82,
    pattern:
      /\blease (?:dated [^.;]{5,40}?|between [^;]{10,160}?) (?:of|for|covering|concerning) (?:the )?(?:premises (?:located )?(?:at|known as) )?(?=\d)/gi
  },
  { score: 0.82, pattern: CALLED },
  {
    score: 0.86,
    pattern:
      /\b(?:leased |demised |rented )?(?:premises|property) (?:is|are|shall be|being) (?:the )?(?=(?:(?:suite|unit|apartment|apt\.?|space|room)s? [\w-]+,? (?:at |in |of )?)?\d)/gi
  },
  {
    score: 0.84,
    isOwn: true,
    unless: OF_PARTY,
    pattern:
      /\b(?:parcel|tract|lots?|land|property|building|premises)\b[^;:("“]{0,160}\b(?:having|with|whose) (?:an? )?(?:street )?address (?:of|at|is) (?=\d)/gi
  },
  {
    score: 0.84,
    isOwn: true,
    unless: OF_PAYMENT,
    pattern:
      /\b(?:hereby rents|rents|leases|lets) to (?:the )?(?:tenant|lessee|resident)\b[^;("“]{3,140}? at the following (?:address|location):? /gi
  },
  { score: 0.84, pattern: /\b(?:commonly|also|otherwise) (?:known|described|identified|referred to) as:? /gi },
  {
    score: 0.84,
    pattern:
      /\b(?:sub)?(?:leases?|lets?|rents?|demises?) (?:un)?to (?:the )?(?:sub)?(?:tenant|lessee|resident)\b[^.;:("“]{0,60}? (?=(?:suite|unit|apartment|apt\.?|space|room)s? [\w-]+ (?:at|in|of|on) )/gi
  },
  {
    score: 0.84,
    pattern:
      /\b(?:sub)?(?:leases?|lets?|rents?|demises?) (?:un)?to (?:the )?(?:sub|ground )?(?:tenant|lessee|resident)\b[^.;:("“]{0,90}? at (?=\d)/gi
  },
  {
    score: 0.82,
    pattern:
      /\b(?:premises|property|house|home|apartment|unit|dwelling|store|shop|space|warehouse|office|land|parcel|site|building|residence|condominium|townhouse|townhome|cottage|farmhouse|duplex|restaurant|studio|garage|residential unit|farm|lot|tract|hangar|barn|ranch|clinic|school|hall|chapel|theater|kitchen)(?: and (?:[a-z]+ ){0,2}[a-z]+)? (?:at|numbered):? (?:\([a-z ]{0,20}address\) )?(?=\d)/gi
  },
  {
    score: 0.82,
    pattern:
      /\b(?:leased?|leases|lets?|rents?|rented|demised?|demises|sublets?|subleases?) (?:un)?to\b[^.;:\d]{3,120}? the [a-z ]{3,30}? at (?=\d)/gi
  },
  {
    score: 0.82,
    pattern:
      /\b(?:the|that certain|above) (?:lease|sublease) (?:agreement )?(?:of|for) (?=(?:(?:suite|unit|apartment|space) [\w-]+,? )?\d)/gi
  },
  {
    score: 0.82,
    pattern:
      /\b(?:landlord|lessor|owner) (?:hereby )?(?:sub)?(?:leases?|lets?|rents?|demises?) (?:the )?[^.;:("“\d]{3,60}? at (?=\d)/gi
  },
  {
    score: 0.86,
    isOwn: true,
    pattern: /\bproperty below to the tenant:? (?:\(?a[.)]{1,2} )?(?:mailing )?address:? /gi
  },
  {
    score: 0.86,
    isOwn: true,
    pattern:
      /\b(?:following|described|leases?|rents?)\b[^.;:]{0,40}\bpremises\b["”)( ,“a-z]{0,30}: (?:; )?(?:street |property |premises )?address: /gi
  },
  { score: 0.8, pattern: /["“”]premises["”]\)? (?:at|located at) /gi },
  {
    score: 0.82,
    unless: OF_PARTY,
    pattern: /\b(?:premises|property|building)["”]?(?: address)? (?:means|is|shall mean)[^.;]{0,80}\b(?:at|as) /gi
  }
]

/** What makes the place another one: where a party has its office, where notices go, where rent is paid. */
const OTHER_PLACE =
  /\b(?:place of business|having an (?:address|office)|notices?|mailing address|offices? (?:located|at)|whose address|residing|payable|corporation|parks? (?:at|in|on)|parking (?:at|in|lot|garage|area|spaces?)|also owns?)\b[^.;]{0,60}$/i

/** What an address gains that the document itself calls the premises. */
const DEFINED = 0.06

/** What is let is named by a unit where the address is its building's. The unit is written into many addresses already. */
const UNIT_OF_PREMISES =
  /["“'‘]premises["”'’]{1,2} (?:means|is|are|shall mean)[^;]{0,180}?\b(?:known as|designated as|being|numbered) ((?:suite|unit|space|room|apartment) (?:[a-z]-?)?\d[a-z\d-]{0,6})\b/i
const HAS_UNIT = /\b(?:suite|ste|unit|space|room|apartment|apt)\b|#/i
const IS_BUILDING = /^[ ,.)]*\(?(?:the |hereinafter[^"“]{0,30})?["“'‘]{1,2}(?:the )?(?:building|project|center)/i

/** `Suite 1010` put before the address of the building it is in, when the document calls that address the building. */
function withUnit(text: string, address: string, after: string): string {
  if (HAS_UNIT.test(address) || !IS_BUILDING.test(after)) return address
  const unit = UNIT_OF_PREMISES.exec(text)?.[1]
  return unit === undefined ? address : `${unit}, ${address}`
}

/** How far an address may start after its announcement, and how much text it may take. */
const LONGEST = 300

/** Addresses of the premises as sentences state them. */
export function sentencePremises(view: View): Evidence[] {
  const { text } = view.prose
  return CUES.flatMap(({ pattern, score, isOwn, unless }) =>
    [...text.slice(0, 60_000).matchAll(pattern)].slice(0, 20).flatMap(match => {
      const start = match.index + match[0].length
      if (unless?.test(match[0]) || OWNER_OF.test(text.slice(Math.max(0, match.index - 20), match.index))) return []
      if (!isOwn && OTHER_PLACE.test(text.slice(Math.max(0, match.index - 60), start))) return []
      const written = readAddress(text.slice(start, start + LONGEST))
      if (!written) return []
      const found = text.indexOf(written, start)
      const at = found < 0 ? start : found
      const origin = originAt(view.prose, at, at + written.length)
      if (!origin) return []
      const after = text.slice(at + written.length, at + written.length + 60)
      const value = withUnit(text, written, after)
      const isDefined =
        /^[ ,.)]*\(?(?:the |hereinafter[^"“]{0,30})?["“'‘]{1,2}(?:the )?(?:leased |demised |existing |original |current |initial |subleased )?(?:premises|property)/i.test(
          after
        )
      return [
        {
          field: 'property_address',
          value,
          raw: written,
          origin,
          status: value === written ? ('found' as const) : ('derived' as const),
          flags: value === written ? [] : ['UNIT_JOINED'],
          score: Math.min(1, score * addressFit(written) + (isDefined ? DEFINED : 0)),
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
      /\b(?:building|project|complex|center) (?:contains?|consist\w*|compris\w*|of)\b[^.]{0,40}$|(?:^|[.;:] )["“]?(?:the |an? )(?:[a-z]+ ){0,2}building["”]? (?:is |located|situated|known)[^;]{0,90}$|\bof the (?:building|project|center|complex)["”]?(?: \([^()]{3,30}\))? (?:is|are|shall|means|equals)\b[^.;]{0,50}$/i.test(
        before
      )
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
