import { foldText } from '../../../normalize/text.ts'

const ZIP = /\b(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})\b/
const ZIPS = new RegExp(ZIP.source, 'g')
const STREET =
  /\b(?:st(?:reet)?|ave(?:nue)?|r(?:oa)?d|blvd|boulevard|dr(?:ive)?|ln|lane|ct|court|way|pl(?:ace)?|pkwy|parkway|hwy|highway|cir(?:cle)?|close|ter(?:race)?|square(?! f(?:ee|oo)t\b)s?|sq(?!\.? ?f)|trail|plaza|row|hill|forks?|rue|route|p\.? ?o\.? box)\b\.?/i
/** Names of buildings: a place only together with a town. No address is longer than what is looked through. */
const BUILDING = /\b(?:building|center|centre|tower|park|mall)\b[^,]{0,240},.{0,240}\b(?:[A-Z]{2}|\p{Lu}\p{Ll}{3,})\b/u
const BLANK = /_{2,}|\{[^}]{0,80}\}|\[[^\]]{0,80}\]|█|■/

/** Amounts, dates, addresses of the web and pictograms stand in no address: words of something else ran into it. */
const FOREIGN =
  /[$£€%@]|\d\/\d{1,2}\/\d{2}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}, \d{4}|\p{Emoji_Presentation}/iu

/** True for a text that is written like a place: a number or a postal code, with a street word or a postal code. */
export function looksLikeAddress(text: string): boolean {
  if (text.length < 6 || text.length > 240 || BLANK.test(text) || FOREIGN.test(text)) return false
  const hasNumber =
    /\d/.test(text.replace(/\b\d{1,2}\.\d{1,2}\b/g, '')) ||
    /\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b/i.test(text)
  return hasNumber && (STREET.test(text) || ZIP.test(text) || BUILDING.test(text)) && /\p{L}{3}/u.test(text)
}

/** How sure the text is a whole address, 0–1: number, street, postal code and commas each add. */
export function addressFit(text: string): number {
  const parts = [/\d/.test(text), STREET.test(text), ZIP.test(text), text.includes(',')]
  return Math.min(1, 0.75 + parts.filter(Boolean).length * 0.1)
}

/** Where an address at the start of a longer text ends: a postal code, or what can follow an address only. */
const AFTER =
  / ?(?:[("“[]|; |, (?:in the|together|consisting|comprising|which|as (?:more|further|shown|described|legally|outlined|depicted|set)|hereinafter|known|under|upon|including|subject)| together with| \(?hereinafter| \(?the [“"']| in the (?:city|county|town|borough) of|,? (?:for|on) (?:an? |the )(?:[a-z]+ ){0,2}(?:purpose|term|period|lease|tenancy|basis)|,? (?:commencing|beginning|starting|pursuant to|which|and (?:also |more |further |commonly |otherwise )?(?:known|described|identified|depicted|shown))\b| as (?:more|further|shown|legally|outlined|depicted)| consisting| comprising| which | where |(?<!\b(?:[A-Z]|St|Ste|Ave|Blvd|Rd|Dr|Ln|Ct|Pl|Mt|Ft|No|Apt|Hwy|Pkwy|Sq|Bldg|Fl|Rm|Ter|Cir))\. [A-Z])/

/** A caption that came along: `Address:`, `(street address, city, state, zip):`. */
const CAPTION =
  /^(?:\([^)\d]{4,60}\):? |(?:the )?(?:street |property |premises |mailing )?address(?: is| of)?:? (?=\S))/i
/** How large the premises are, told between their unit and their street. */
const SIZE =
  /,? ?\(?(?:containing|consisting of|comprising|being|of)? ?(?:approximately |about |approx\. )?\d[\d,.]{0,20} (?:net )?(?:rentable |usable )?(?:square f(?:ee|oo)t|sq\.? ?ft\.?|rsf|sf)\b\)?/gi

/** The caption of the second half of an address whose halves stand in one line. */
const INNER_CAPTION =
  /,? ?\b(?:city(?:,? ?(?:state|town|zip)){1,3}(?: code)?|city\/state\/zip|city|town\/city): (?=\p{Lu})/giu

/** Marks and words that join an address to what announces it: `known as and located at 4 Iris Court`. */
const LEAD = /^(?:[\s:;,.*\-–—•|"“]|(?:and|or|at|being|is|as|located|situated)\b)+/i

/** `That certain real property, with improvements, commonly known as`: what is said before the address. */
const DESCRIBED =
  /^[^\d;]{4,160}\b(?:(?:known|described|identified|located|situated)(?: and numbered)? (?:as|at)|(?:having|with|whose) (?:an? )?(?:street |mailing )?address (?:of|at|is)):? (?=\S)/i

/** `the building of A LLC, having an address at`: a firm, an owner or a manager in between has its own address there. */
export const OF_PARTY =
  /\b(?:l\.?l\.?c|inc|corp(?:oration)?|company|l\.?p|llp|ltd|trust(?:ees?)?|partnership|authority|managed|manager|own(?:s|ed|er|ers)|develop(?:ed|er)|agent|broker|lender|bank|contractor|landlord|lessor|by)\b/i
/** `The land and building thereon located at`: what is let is told before its address. */
const THING_AT =
  /^(?:the|that certain|those certain|a|an|all(?: of)?(?: the)?|certain) [^\d;]{3,120}? (?:located|situated|lying) (?:at|on) (?=\d)/i

/** `Suite 199 in the building whose street address is 12 Mill Street`: a unit, and words that lead to its building. */
const UNIT_IN =
  /^((?:suite|unit|apartment|apt\.?|space|room|bay) (?:no\. ?)?#?[\w-]{1,8}),? (?:[a-z][a-z,()]* ){0,8}?(?:(?:the|a) (?:office )?(?:building|project|center|complex|house|property) )(?:[a-z][a-z,]* ){0,6}(?:at|as|is|of|on):? (?=\d)/i

/** `contain in the building commonly known as 12 Mill Street`, `spaces, 12 Mill Street`: words before an address begin small. */
const SMALL_LEAD = /^(?:\p{Ll}[\p{L}'’,.-]*:?,? ){1,14}?(?=\d|(?:Suite|Unit|Apartment|Apt|Space|Room|Building) )/u

/** `Store No. 6267, 12 Mill Street`: the tenant's number of its store is no part of the address. */
const STORE_NUMBER = /^store (?:no\. ?|number |#)[\w-]{1,8},? (?=\d)/i

/** `, in the City of Salem, County of Essex, State of Oregon, with zip code 97301`: the town as instruments tell it. */
const TOWN_IN =
  /,? (?:(?:located|situated|lying|being) )?in (?:the )?(?:City|Town|Village|Borough) of (\p{Lu}[\p{L} .'’-]{1,30}?)(?:,? (?:in )?(?:the )?(?:County|Parish) of [\p{L} .'’-]{2,30}?)?,? (?:and )?(?:State|Commonwealth) of (\p{Lu}[\p{L} ]{2,20}?)(?:,? (?:with )?(?:zip code |zip )?(\d{5}))?(?=[,.;)]| [(\p{Ll}]|$)/u

/** `the "subleased premises," with all its improvements: 12 Mill Street`. */
const CALLED_SO = /^(?:the |an? )?["“][^"”]{3,40}["”],?[^\d;:]{0,80}: (?=\d)/i

/** Stands for words that lead to the address of a party. */
const NO_PLACE = '\u0000'
const isOfParty = (said: string): boolean => /\baddress\b/i.test(said) && OF_PARTY.test(said)

/** Cuts an address out of running text that begins with it; null when it is none. */
export function readAddress(raw: string): string | null {
  let text = foldText(
    raw
      .slice(0, 300)
      .replace(THING_AT, '')
      .replace(/(?<! is)(?:,? and)?,? (?:located|situated) at /, ', ')
  )
    .replace(/^[^\d;]{3,120}? and is (?:located|situated) at (?=\S)/i, '')
    .replace(LEAD, '')
    .replace(CAPTION, '')
    .replace(DESCRIBED, said => (isOfParty(said) ? NO_PLACE : ''))
    .replace(CAPTION, '')
    .replace(SIZE, '')
    .replace(INNER_CAPTION, ', ')
    .replace(TOWN_IN, ', $1, $2 $3')
    .replace(/, (?:City|Town|State|County|Commonwealth) of (?=\p{Lu}\p{Ll})/gu, ', ')
    .replace(/^\s+/, '')
    .replace(CALLED_SO, '')
    .replace(UNIT_IN, '$1, ')
    .replace(SMALL_LEAD, said => (OF_PARTY.test(said) ? NO_PLACE : ''))
    .replace(STORE_NUMBER, '')
  if (text.includes(NO_PLACE)) return null
  const after = AFTER.exec(text)
  const end = after && after.index > 5 ? after.index : text.length
  // A five-digit house number opens an address; a postal code closes it.
  const zip = [...text.matchAll(ZIPS)].find(match => match.index > 5 && /\p{L}{3}/u.test(text.slice(0, match.index)))
  text = text.slice(0, zip && zip.index < end ? zip.index + zip[0].length : end)
  text = text.replace(/(?<![\s:;,.*|–—-])[\s:;,.*|–—-]+$/, '')
  return looksLikeAddress(text) && !/["“”]/.test(text) ? text : null
}
