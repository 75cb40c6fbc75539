import { type Evidence, valueKey } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { blockFrom, rightOf } from '../find/layout/neighbours.ts'
import { originAt, segmentAt } from '../find/layout/prose.ts'
import { originOf, type Segment, segmentsWithin } from '../find/layout/sheet.ts'
import { opensWithLabel, type Slot, slotText } from '../find/layout/slots.ts'
import { nameReader } from '../find/readers.ts'
import { readAddress } from '../find/values/address.ts'
import { isInsurerName, nameKey, readName, sameName } from '../find/values/names.ts'
import type { SlotReader, View } from '../find/view.ts'

/** A capitalised name that ends in an insurance word and a legal form. */
const INSURER =
  /(?<![\p{L}])(?:(?:[\p{Lu}][\p{L}\d&'’.-]{0,20}|and|of|&) ){1,7}?(?:INSURANCE|Insurance|ASSURANCE|Assurance|INDEMNITY|Indemnity|CASUALTY|Casualty|INS\b\.?|Ins\b\.?)(?: ?,? (?:A MUTUAL COMPANY|A Mutual Company|COMPANY|Company|CORPORATION|Corporation|EXCHANGE|Exchange|ASSOCIATION|Association|CORP\b\.?|Corp\b\.?|CO\b\.?|Co\b\.?|INC\b\.?|Inc\b\.?))(?: (?:of|OF) (?:(?:the|THE) )?[\p{Lu}][\p{L}]{1,20}(?![\p{L}]))?/gu
/** Words right before an insurer's name that say it carries the risk. */
const CARRIES =
  /(?:underwritten|issued|provided|insured|covered|protected) by:?(?: the)? ?$|insurer(?: is)?:? ?$|president, ?$|witness whereof, ?$/i
/** Mentions looked at: a policy names its insurer early and often. */
const SEARCHED = 120_000
const MOST_MENTIONS = 200

/** Words of a heading or a form's number that stand before the name on its line. */
const HEADING_WORDS =
  /^(?:(?:COMPANY|INSURER|CARRIER|UNDERWRITER|INSURANCE|FORM|POLICY|DECLARATIONS?|PAGE|Company|Insurer|Carrier|Form|Policy|Declarations?|Page|[A-Z]{2,3}-\d{1,2}) ){1,4}(?=\p{L}+ |$)/u

/** The name without the words of the line before or of a heading that the pattern ran through. */
function ownName(view: View, raw: string, index: number): { name: string; start: number } {
  const end = index + raw.length
  const lineStart = view.prose.starts[segmentAt(view.prose, end - 1)] ?? index
  const onLine = raw.slice(Math.max(0, lineStart - index))
  const isWhole = lineStart > index && onLine.split(' ').length >= 3 && isInsurerName(onLine)
  const kept = isWhole ? onLine : raw
  const capitals = /(?:^| )((?:\p{Lu}{2,}|&|OF|A)(?:,? (?:\p{Lu}[\p{Lu}.]+|&|A)){1,8})$/u.exec(kept)?.[1] ?? ''
  const cut = capitals !== '' && isInsurerName(capitals) ? capitals : kept
  const name = cut.replace(/^(?:and|of|&|The|THE|This|Your|By|by) /u, '').replace(HEADING_WORDS, '')
  return { name, start: end - name.length }
}

/** `Alder Insurance Exchange of the Farm Bureau family`: words of a place that go on in their line are no part of the name. */
function withoutRunOn(view: View, raw: string, index: number): string {
  const end = index + raw.length
  const [at, after] = [segmentAt(view.prose, end - 1), segmentAt(view.prose, end + 1)]
  const goesOn = at === after && /^ \p{Lu}/u.test(view.prose.text.slice(end, end + 2))
  return goesOn ? raw.replace(/ (?:of|OF) (?:the |THE )?\S+$/, '') : raw
}

/** True for a name that stands alone on its line on the first pages. */
function isLetterhead(view: View, name: string, start: number): boolean {
  const segment = view.prose.segments[segmentAt(view.prose, start)]
  return segment !== undefined && segment.page <= BLOCK_PAGES && segment.text.length <= name.length + 3
}

/** Lines from the top of a document in which its insurer stands as a letterhead, whatever else stands on the line. */
const HEAD_LINES = 12

/** True for a name that opens a line at the head of the document, and no sentence. */
function opensHead(view: View, start: number, end: number): boolean {
  const at = segmentAt(view.prose, start)
  const before = view.prose.text.slice(view.prose.starts[at] ?? start, start)
  const isOpening = at < HEAD_LINES && before.replace(HEADING_WORDS, '') === ''
  return isOpening && !/^ (?!of\b)\p{Ll}/u.test(view.prose.text.slice(end, end + 4))
}

/** Where these words stand, an insurer that is named may be another policy's. */
const OTHER_INSURER =
  /\b(?:underlying|prior|previous|expiring|other|reinsur\w+|current|competing|lead) (?:insurance|insurers?|carriers?|compan(?:y|ies)|polic(?:y|ies)|coverage)\b/i

/** What the one insurer that a document names scores where it heads it, and behind a caption or words of placing. */
const SOLE_HEAD = 0.8
const SOLE = 0.75
const PLACED =
  /(?::(?: ;)?|\b(?:effective|placed|insured|written) (?:with|by|through)|\b(?:policy|certificate) (?:number|no\.?) [A-Z\d-]{4,20} with) ?$/i

/** Insurers named anywhere in the text; the one named most, or said to carry the risk, counts most. */
export function mentionedInsurers(view: View): Evidence[] {
  const { text } = view.prose
  const mentions = [...text.slice(0, SEARCHED).matchAll(INSURER)].slice(0, MOST_MENTIONS)
  const counts = new Map<string, number>()
  for (const [raw] of mentions) counts.set(nameKey(raw), (counts.get(nameKey(raw)) ?? 0) + 1)
  const isSole = counts.size === 1 && !OTHER_INSURER.test(text.slice(0, SEARCHED))
  return mentions.flatMap(match => {
    const raw = withoutRunOn(view, match[0], match.index)
    const { name, start } = ownName(view, raw, match.index)
    const read = readName(name)
    const origin = originAt(view.prose, start, match.index + raw.length)
    if (
      !read ||
      !origin ||
      /^(?:a )?(?:stock|mutual|insurance|reciprocal) |\b(?:agency|services?|department|commissioner)\b/i.test(name)
    )
      return []
    const carries = CARRIES.test(text.slice(Math.max(0, match.index - 30), match.index))
    const often = Math.min(counts.get(nameKey(match[0])) ?? 1, 6) * 0.02
    const isPlaced = PLACED.test(text.slice(Math.max(0, start - 48), start))
    const sole = opensHead(view, start, match.index + raw.length) ? SOLE_HEAD : isPlaced ? SOLE : 0
    const score = Math.max(isSole ? sole : 0, (carries ? 0.8 : isLetterhead(view, name, start) ? 0.76 : 0.52) + often)
    const evidence: Evidence = {
      field: 'carrier_name',
      value: read.name,
      raw,
      origin,
      status: 'found',
      flags: read.flags,
      score,
      via: carries ? 'carries' : 'mention'
    }
    return [evidence]
  })
}

/** A carrier after its label; a label as broad as "Company" needs a name that says it is an insurer. */
export const carrierReader: SlotReader = (slots, hit, view) => {
  const evidence = nameReader(slots, hit, view)
  if (typeof evidence?.value !== 'string') return evidence
  const joined = joinWrapped(slots, hit, view, evidence.value)
  const value = withoutPlace(joined ?? evidence.value)
  const isInsurer = isInsurerName(value)
  if (hit.weight < 0.9 && !isInsurer) return null
  return { ...evidence, value, raw: value, score: isInsurer ? evidence.score : evidence.score * 0.9 }
}

/** `A Insurance Company, Columbus, Ohio`: where the insurer sits is not its name. */
function withoutPlace(name: string): string {
  const [own = name, ...rest] = name.split(', ')
  const isForm = /^(?:inc|ltd|llc|limited|a )/i.test(rest[0] ?? '')
  return rest.length > 0 && !isForm && isInsurerName(own) ? own : name
}

/** A name broken over two lines right before its legal form: "… Property and Casualty" / "Insurance Company". */
function joinWrapped(slots: readonly Slot[], hit: LabelHit, view: View, value: string): string | null {
  if (value.includes('; ')) return value.split('; ').join(' ')
  const slot = slots.find(one => slotText(one).startsWith(value))
  if (!slot || isInsurerName(value)) return null
  const next = blockFrom(view.sheet, slot.segment, 2)[1]
  const isTail =
    next !== undefined &&
    next.text.length < 40 &&
    next !== hit.segment &&
    !next.text.includes(':') &&
    isInsurerName(`${value} ${next.text}`)
  return isTail ? `${value} ${next.text}` : null
}

/** An address block stands on the first pages. */
const BLOCK_PAGES = 3
const MOST_BLOCKS = 30
const ADDRESSEE = 0.5
/** One person alone that a declaration is mailed to, and who stands in it as driver or insured, where no label names another. */
const ONLY_ADDRESSEE = 0.8
/** Words of a list of those insured, and how far from a name they are looked for, as a share of the page. */
const THOSE_INSURED = /\b(?:drivers?|operators?|named insureds?|policyholders?|household (?:members?|residents?))\b/i
const LIST_REACH = 0.07
const BLOCK_ADDRESS = 0.74

function addressBelow(view: View, segment: Segment): string | null {
  const lines = blockFrom(view.sheet, segment, 6).slice(1)
  const last = lines.findIndex(line =>
    /\b(?:[A-Z]{2} \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/i.test(line.text)
  )
  if (last < 0) return null
  return readAddress(
    lines
      .slice(0, last + 1)
      .map(line => line.text.replace(/,$/, ''))
      .join(', ')
  )
}

/**
 * The block of name and address a declaration is mailed to. The addressee is often, not always, the insured: it counts
 * for little by itself. Where the name is known to be the insured's, the address below it is theirs.
 */
export function addressBlocks(view: View, insured: readonly string[]): Evidence[] {
  const known = new Set(insured.map(nameKey))
  const text = view.prose.text.slice(0, SEARCHED).toLowerCase()
  let blocks = 0
  return view.sheet.segments.flatMap(segment => {
    if (segment.page > BLOCK_PAGES || segment.tokens.length > 6 || /\d/.test(segment.text)) return []
    const read = readName(segment.text)
    if (!read || isInsurerName(read.name)) return []
    const isInsured = known.has(nameKey(read.name))
    const address = addressBelow(view, segment)
    if (address === null || blocks >= MOST_BLOCKS) return []
    blocks += 1
    const block = blockFrom(view.sheet, segment, 6)
    const origin = originOf(block[1] ?? segment)
    const base = { origin, status: 'found' as const, flags: read.flags, via: 'address block' }
    const found: Evidence[] = []
    if (isInsured) found.push({ ...base, field: 'mailing_address', value: address, raw: address, score: BLOCK_ADDRESS })
    const isNamedAgain = text.split(read.name.toLowerCase()).length > 2
    const isFirm = /\b(?:inc|llc|agency|company|services?|corp|agy|ins|svcs)\b/i.test(read.name)
    if (
      isNamedAgain &&
      !isAnother(text, read.name.toLowerCase()) &&
      !isFirm &&
      read.name.includes(' ') &&
      !isLabelled(view, segment)
    ) {
      found.push({
        ...base,
        field: 'named_insured',
        value: read.name,
        raw: segment.text,
        origin: originOf(segment),
        score: isAmongInsured(view, segment, read.name) ? ONLY_ADDRESSEE : ADDRESSEE
      })
    }
    return found
  })
}

/** Words right before a name that make it another party's. */
const ANOTHER =
  /\b(?:agent|producer|broker|representative|attn|attention|mortgagee|lienholder|loss payee|by|signed)\b[^.;]{0,30}$/

/** True for a name that the document calls its agent or a lender anywhere. */
function isAnother(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (ANOTHER.test(text.slice(Math.max(0, at - 45), at))) return true
  }
  return false
}

/** Names that stand over an address, by their letters. */
export function namesOverAddresses(view: View): Set<string> {
  const names = view.sheet.segments
    .filter(segment => segment.page <= BLOCK_PAGES && segment.tokens.length <= 8 && !/\d/.test(segment.text))
    .flatMap(segment => {
      const read = readName(segment.text)
      return read && addressBelow(view, segment) !== null ? [nameKey(read.name)] : []
    })
  return new Set(names)
}

/** True for a name that stands again, alone on its line or before its dates, in a list of drivers or of those insured. */
function isAmongInsured(view: View, block: Segment, name: string): boolean {
  const again = view.sheet.segments.filter(
    segment =>
      segment !== block && segment.tokens.length <= 8 && segment.text.toLowerCase().includes(name.toLowerCase())
  )
  return again.some(
    segment =>
      segmentsWithin(view.sheet, segment.page, segment.box[1] - LIST_REACH, segment.box[3]).some(other =>
        THOSE_INSURED.test(other.text)
      ) || isBornBeside(view, segment)
  )
}

/** How many years ago at least somebody was born who drives. */
const OF_AGE = 14

/** `LAURA M WILDER   08/25/1984   F`: a day of birth beside a name makes a row of a list of drivers. */
function isBornBeside(view: View, segment: Segment): boolean {
  const latest = Number(view.context.today.slice(0, 4)) - OF_AGE
  return rightOf(view.sheet, segment)
    .slice(0, 2)
    .some(({ text }) => {
      const [year] = /(?<=^\d{1,2}[/-]\d{1,2}[/-])\d{4}$/.exec(text) ?? []
      return year !== undefined && Number(year) <= latest
    })
}

/** True for a name below a label of its own: an agent's, a lender's, a driver's. */
function isLabelled(view: View, segment: Segment): boolean {
  const height = segment.box[3] - segment.box[1]
  return segmentsWithin(view.sheet, segment.page, segment.box[1] - height * 2.2, segment.box[1]).some(
    above =>
      above !== segment &&
      above.box[3] <= segment.box[1] + height / 2 &&
      Math.abs(above.box[0] - segment.box[0]) < 0.03 &&
      opensWithLabel(view.labels, above)
  )
}

/** Addressees count for more only where one stands alone and no label names an insured. */
export function soleAddressee(blocks: readonly Evidence[], evidence: readonly Evidence[]): Evidence[] {
  const own = blocks.filter(piece => piece.field === 'named_insured')
  const isAlone = new Set(own.map(piece => valueKey(piece.value))).size === 1
  const isNamed = evidence.some(piece => piece.field === 'named_insured')
  if (isAlone && !isNamed) return [...blocks]
  return blocks.map(piece => (own.includes(piece) ? { ...piece, score: ADDRESSEE } : piece))
}

/** An insurer's name behind a label for the insured belongs to another column. */
export function isInsurerAsInsured(evidence: Evidence): boolean {
  return evidence.field === 'named_insured' && typeof evidence.value === 'string' && isInsurerName(evidence.value)
}

/** True when the insured found is the carrier or the agent: a label was paired with another party's name. */
export function isOtherParty(insured: string, others: readonly (string | null)[]): boolean {
  return others.some(other => other !== null && sameName(insured, other))
}
