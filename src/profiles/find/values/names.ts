import { foldText } from '../../../normalize/text.ts'

/** Words that end a name: what follows tells about the party and is not its name. */
const TAIL =
  /(?:,? (?:an? (?:[A-Z]|(?:corporation|company|partnership|person|bank|trust|municipality|association|limited|general|public|private|domestic|foreign|municipal|nonprofit|non-profit|married|single)\b|\[|[a-z]+ (?:corporation|limited|company|partnership|individual|person))|whose|having|jointly|with (?:an? |its )|located|hereinafter|herein|hereafter|residing|of the (?:city|county)|and having|as (?:the )?(?:[Ll]and|[Tt]en|[Ll]ess|[Gg]round|[Ss]ub|[Oo]wner|[Mm]aster|[Tt]rustees?|[Aa]gent|managing|nominee|receiver|authorized))|,? ?(?:["“[]|\((?!\d{1,2}\) (?:L\.?L\.?C|L\.?P|Inc|Ltd|Corp|Limited|Trust)\b))|; |,? and (?:us|you)\b|,? party of the |,? (?:HEREIN|HEREINAFTER|HEREAFTER|WHOSE|HAVING|RESIDING|LOCATED|PARTY OF THE)\b|,? A(?:N INDIVIDUAL| (?:\p{Lu}{4,} )?(?:CORPORATION|LIMITED LIABILITY|LIMITED PARTNERSHIP))\b|,? a\/k\/a |,? f\/k\/a |,? (?:as )?(?:the )?success(?:or|ors)\b|,? the (?:[a-z]+ ){0,3}(?:owner|landlord|lessor|tenant|lessee|resident|operator)\b|,? (?:as )?assignee of |,? formerly (?:known|called)\b|,? now known\b|,? trading as\b|, \d| \d{2,} (?![\p{L}\d .&'’-]{2,60},? (?:L\.?L\.?C|L\.?L?\.?P|Inc|INC|Ltd|LTD|Corp|CORP|Company|COMPANY|Trust|TRUST|Associates|ASSOCIATES|Partners|PARTNERS|Limited|LIMITED)\b))/u
/** `RESIDENT: A`, `Name: B`: a caption that came along with the name. */
const OWN_CAPTION =
  /^(?:\d{1,2}[.)] )?(?:the )?(?:full |legal |print(?:ed)? )?(?:name|landlord|lessor|owner|tenant|lessee|resident|renter|occupant|insured|named insured|policyholder|agent|company|insurer)(?:s|\(s\))?(?: name)?: (?=\p{L})/iu
/** `Lessor's Name B`: the caption of a form in a sentence. */
const PARTY_CAPTION =
  /^(?:landlord|lessor|owner|tenant|lessee|resident|renter)['’]s (?:full |legal )?name:? (?=\p{Lu})/iu
/** `the City of Salem`: a public body is named without the article. */
const PUBLIC_BODY =
  /^the (?=(?:city|town|village|county|state|board|port|school|university|housing|regents|trustees)\b)/i
/** `Quay Realty, as agent for Alder LLC`: who is acted for is the party. */
const AGENT_FOR =
  /^[^;("“]{2,90}?,? (?:acting |solely )?(?:as |by |its )?(?:the )?(?:duly )?(?:authorized |managing |leasing |exclusive )?agents? (?:for|of|on behalf of)(?: and on behalf of)? (?:the )?(?=\p{Lu})/u
const COURTESY = /^(?:mr|mrs|ms|miss|mx|messrs)\.? (?=\p{L})/iu

const NOT_NAMES =
  /^(?:n\/?a|none|see\b|same\b|tbd|unknown|yes|no|various|per\b|as per|the above|above|name|names?:?|is\b|are\b|and\b|or\b|of\b|to\b|for\b|in\b|at\b|by\b|on\b|with\b|continued|page\b|x|address|mailing|means?\b|information|details?|date\b|signature|initials?|email|phone|dba)\b/i
const BLANK = /_{2,}|\.{5,}|\{[^}]{0,80}\}|\[[^\]]{0,80}\]|<[^>]{0,80}>|█|■|X{4,}/
/** `2383 Mesa Avenue, LLC`: a firm may be named for an address. */
const IS_FIRM = /\b(?:l\.?l\.?c|inc|l\.?p|llp|ltd|corp(?:oration)?|company|trust|associates|partnership|limited)\.?$/iu
const MOSTLY_DIGITS = /\d.*\d.*\d.*\d/

/** A date or a pictogram is no name. */
const FOREIGN =
  /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}\b|\p{Emoji_Presentation}/iu

/** A kind of party, alone, answers another question than its name. */
const KIND_OF_PARTY =
  /^(?:an? )?(?:individual|corporation|partnership|joint venture|limited liability (?:company|corporation)|limited partnership|llc|sole propriet(?:or|orship)|trust|organization|association|other|husband and wife)$/i
/** A place in a building, a caption of a form or a state, alone: what a label was paired with by mistake. */
const NO_PARTY =
  /^(?:(?:apt|apartment|unit|suite|ste|room|floor|lot|p\.?o\.? box)\b\.? ?(?:no\b\.?)?|business|company|firm|home|work|cell|mobile|owner|agent|broker|tenants?|landlord|lessees?|lessors?|insureds?|producer|agency|carrier|insurer|applicant|occupants?|residents?|guarantors?|premises|property|street|city|state|county|zip|country|signature|signed|witness|initials?|acknowledge?ments?|agreement|lease|rent|term|deposit|utilities|parking|pets|use|notices?|recitals|definitions|coverage|policy|premium|declarations?|page|total|amount|balance|included|excluded|attached|attachment|exhibit|schedule|section|article|item|mortgagee|lienholder)\W*$|^(?:apt|apartment|unit|suite|ste|room|lot)\b\.? ?(?:no\b\.? ?)?#?[\d-]|^(?:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new (?:hampshire|jersey|mexico|york)|(?:north|south) (?:carolina|dakota)|ohio|oklahoma|oregon|pennsylvania|rhode island|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming)\.?$|^(?:section|article|paragraph|item|clause|exhibit|schedule) [\d.]|^[☐☒□✓]/iu
/** `COMMON AREAS. None`: a stop after a word that is no short form ends a sentence, and names hold none. */
const SENTENCE_END =
  /(?<!\b(?:\p{L}{1,2}|\p{Lu}{1,4}|inc|corp|ltd|bros|assoc|assn|dept|mfg|mrs|messrs|prof|rev|hon|esq|univ|intl|svcs?|mgmt|props?|ent|comm|bldg|ins))\. (?=\p{L})/iu

/** Words of sentences and headings; in a short name they may be names themselves. */
const SENTENCE_WORDS = /\b(?:may|must|shall|will|either|if|not|any|is|are|was|this|that|which)\b/i
/** A caption of a form ends in what it asks for. */
const CAPTION_END =
  /\b(?:code|number|no|date|address|phone|telephone|amount|type|of|by|the|information|details?|initials?|signature|name|and|to|fax|e-?mail|#|location|period|premiums?|deductibles?|coverages?|mortgagees?|lienholders?)[.:#]?$/i

/** What is left of a text when titles and what follows the name are taken off; null when it can be no name. */
export interface ReadName {
  readonly name: string
  readonly flags: readonly string[]
}

function looksLikeName(name: string): boolean {
  if (name.length < 2 || name.length > 100) return false
  if (!/\p{L}{2}/u.test(name) || BLANK.test(name) || NOT_NAMES.test(name) || FOREIGN.test(name)) return false
  if (
    /^[a-z/(]/.test(name) ||
    /^(?:this|that|these|those|such)\b|\bagreement\b/i.test(name) ||
    /[@$£€%]|www\.|https?:/.test(name)
  )
    return false
  if (
    // `B Head tenant /`: what stands before a slash at the end is the next caption.
    /\p{L}: \p{L}|\/$/u.test(name) ||
    (MOSTLY_DIGITS.test(name) && !IS_FIRM.test(name)) ||
    NO_PARTY.test(name) ||
    KIND_OF_PARTY.test(name) ||
    SENTENCE_END.test(name)
  )
    return false
  const words = name.split(' ')
  if (words.length > 3 && SENTENCE_WORDS.test(name)) return false
  if (CAPTION_END.test(name)) return false
  if (words.length > 12) return false
  const small = words.filter(
    word =>
      /^[a-z]{2,}$/.test(word) &&
      !['of', 'and', 'the', 'for', 'dba', 'de', 'la', 'van', 'von', 'del', 'der', 'in', 'as', 'at', 'on'].includes(word)
  )
  return small.length <= words.length / 4
}

/** Reads a name as written: words kept, white space folded, courtesy titles and the description after it left out. */
export function readName(raw: string): ReadName | null {
  const flags: string[] = []
  let name = foldText(raw).replace(/^[\s:;,.…*\-–—•|]+/, '')
  name = name.replace(OWN_CAPTION, '').replace(PARTY_CAPTION, '').replace(AGENT_FOR, '').replace(PUBLIC_BODY, '')
  const tail = TAIL.exec(name)
  if (tail && tail.index > 1) name = name.slice(0, tail.index)
  if (COURTESY.test(name)) {
    name = name.replace(COURTESY, '')
    flags.push('COURTESY_TITLE_LEFT_OUT')
  }
  name = name.replace(/(?<![\s:;,*|–—-])[\s:;,*|–—-]+$/, '').replace(/^\d{1,2}[.)] /, '')
  return looksLikeName(name) ? { name, flags } : null
}

const ORGANISATION = /\b(?:insurance|assurance|indemnity|casualty|mutual|underwriters|surety|reinsurance)\b/i
const ORGANISATION_KIND =
  /\b(?:company|co|corp|corporation|exchange|inc|ltd|limited|plc|group|association|society|lloyds?|llc|insurer|mutual|reciprocal|insurers)\b/i

/** True for a name that says it is an insurer: an insurance word together with a legal form. */
export function isInsurerName(name: string): boolean {
  return ORGANISATION.test(name) && ORGANISATION_KIND.test(name)
}

/** True when two names are the same but for case, punctuation and spacing. */
export function sameName(a: string, b: string): boolean {
  return nameKey(a) === nameKey(b)
}

/** A name's letters and digits, for comparing. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
