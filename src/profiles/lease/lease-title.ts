import type { Segment } from '../find/layout/sheet.ts'
import type { View } from '../find/view.ts'

/** Words of a title that make its paper a lease or a part of one. */
const OF_LEASE = /\b(?:sub-?)?leas(?:e|es|ing)\b|\b(?:rental|tenancy|rent|occupancy) (?:agreement|contract)\b/i

/** Papers about a lease: who is paid for it, who stands in for it, what was asked, offered, noted or ended. */
const ABOUT_LEASE =
  /\b(?:commissions?|terminat\w+|surrender|cancell?ation|guarant(?:y|ee|or)|estoppel|abstract|proposal|application|memorandum|notice|invoice|statement|receipt|ledger|checklist|inspection|disclosure|consent|recognition|subordinat\w+|attornment|brokerage|listing|management|equipment|vehicle|auto|car|parking (?:permit|pass|addend\w+|rules)|offer|quote|quotation|questionnaire|worksheet|report|transmittal|buy-?out|violation|reminder|comparison|analysis|survey|certificate|certification|request|verification|inquiry|letter of intent|term sheet|leases and rents|flyer|brochure|estimate|reconciliation|purchase (?:and sale )?agreement|offer to lease)\b|^for (?:sub-?)?lease\b|\bfor lease$/i

/** Kinds of paper that are no lease, as titles end in them or go on with `of`, `to`, `for`. */
const OTHER_PAPER =
  /\b(?:certificate|certification|statement|invoice|proposal|notice|memorandum|guarant(?:y|ee)|application|report|receipt|bill|offer|order|flyer|brochure|questionnaire|checklist|ledger|rent roll|inspection|disclosure|authorization|affidavit|consent|release|waiver|quote|quotation|estimate|budget|reconciliation|survey|appraisal|inquiry|reminder|demand|transmittal|term sheet|letter of (?:intent|credit)|termination|surrender|deed of trust|promissory note|mortgage|estoppel|complaint|petition|summons|judgment|comparable|verification)(?=$| (?:of|to|for|and|under|from|regarding)\b| ?[-–—:(#])/i

/** Agreements about other things. */
const OTHER_AGREEMENT =
  /\b(?:management|purchase|sales?|commissions?|brokerage|listing|licen[sc]e|services?|employment|loan|security|subordination|non-?disturbance|attornment|termination|surrender|settlement|escrow|confidentiality|indemnity|easement|franchise|construction|development|parking|option|storage of|membership|consulting|distribution|forbearance|payment plan|reservation|holding|room-?mate|co-?tenancy|leasing agency)\b[\p{L}\s,&-]{0,60}\b(?:agreement|contract)\b/iu

/** What is a record of the lease itself: a memorandum that confirms when it commences, a paper that is a lease as well. */
const CONFIRMS =
  /\bcommencement (?:date )?(?:memorandum|letter|agreement|certificate|confirmation|notice)\b|\bconfirmation of (?:lease )?terms?\b|\band (?:sub-?)?lease(?: agreement)?$/i

/** What fields are called is no title: `Lease Start`. */
const IS_LABEL =
  /\b(?:start|end|dates?|begins?|ends?|commencement|expiration|expires|type|no|number|id|period|rate|year)\.?$/i
/** A title may say as of when. */
const AS_OF = /,? (?:as of |dated |- )?(?:\d{1,2}\/\d{1,2}\/\d{2,4}|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4})$/
/** A line with one of these is a sentence, a line with an amount or a date the body. */
const SENTENCE =
  /\b(?:is|are|was|were|has|have|must|shall|may|will|should|please|read|this|you|your)\b|[.;]$|\d{4}|[$£€]/i
const MOST_WORDS = 12
/** Titles are among the first lines. */
const HEAD_LINES = 12

/** True for a line written as titles are: no sentence, its words with capitals. */
function isHeading({ tokens, text }: Pick<Segment, 'tokens' | 'text'>): boolean {
  if (tokens.length > MOST_WORDS || SENTENCE.test(text) || /: \S/.test(text)) return false
  const words = (text.match(/\p{L}{4,}/gu) ?? []).filter(
    word => !/^(?:with|from|between|under|into|upon|through)$/.test(word)
  )
  return words.length > 0 && words.every(word => /^\p{Lu}/u.test(word))
}

/** What a title says of its paper; null where it says nothing of its kind. */
function kindOf(text: string): 'lease' | 'other' | null {
  if (CONFIRMS.test(text)) return 'lease'
  if (IS_LABEL.test(text)) return null
  if (OF_LEASE.test(text)) return ABOUT_LEASE.test(text) ? 'other' : 'lease'
  return OTHER_PAPER.test(text) || OTHER_AGREEMENT.test(text) ? 'other' : null
}

/** What an offer says of itself, whatever its title. */
const NOT_BINDING =
  /\bpleased to (?:submit|present|offer|provide)\b[^.]{0,80}\b(?:proposal|terms)\b|\b(?:this|the foregoing) (?:proposal|letter|term sheet|offer|non-?binding)\b[^.]{0,120}\b(?:not (?:be )?(?:an? )?(?:legally )?(?:binding|intended)|non-?binding|does not constitute)\b|\bsubject to (?:the )?(?:execution|negotiation)[^.]{0,40} of an? (?:mutually |definitive |formal |written )?[^.]{0,20}lease\b/i

/** A letter to a tenant about the lease: welcome, reminder, confirmation. */
const TO_TENANT =
  /\bdear \p{L}[^:;]{1,60}?[,:] [^;]{0,160}?\b(?:welcome to|congratulations|remind\w*|your lease (?:with|at|of|is|was|expires|ends|will|starts|begins|for))\b/iu

/** What the first title of a paper makes it: a lease, or a paper about one; null when no title says. An offer is no lease. */
export function titledKind(view: View): 'lease' | 'other' | null {
  const start = view.prose.text.slice(0, 20_000)
  if (NOT_BINDING.test(start) || TO_TENANT.test(start.slice(0, 3000))) return 'other'
  const heads = view.sheet.segments
    .slice(0, HEAD_LINES)
    .map(({ tokens, text }) => ({ tokens, text: text.replace(AS_OF, '') }))
    .filter(isHeading)
  return heads.map(({ text }) => kindOf(text)).find(kind => kind !== null) ?? null
}

/** What a lease of its own is called at the top of its first page; parts of one are called otherwise. */
const WHOLE_LEASE =
  /^(?:[\p{L}’'&/-]+ ){0,6}(?:sub-?lease|lease|(?:lease|rental|tenancy|rent)(?: [\p{L}-]+)? (?:agreement|contract))$/iu
const CHANGES_LEASE = /\b(?:amendment|assignment|extension|renewal)\b/i
/** Titles are the first or second thing on a page. */
const TOP = 2
const DATE = /\b[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/
const AMOUNT = /\$ ?\d/

/** Pages of leases looked at for where another one begins. */
const MOST_PAGES = 200
/** Pages headed as leases that are looked at: one that repeats its title on each page is read but so often. */
const MOST_HEADS = 8

function topsOf(view: View): Map<number, Segment[]> {
  return Map.groupBy(
    view.sheet.segments.filter(segment => segment.paragraph === null),
    segment => segment.page
  )
}

const isWholeLease = (segment: Segment): boolean =>
  isHeading(segment) &&
  kindOf(segment.text) === 'lease' &&
  (WHOLE_LEASE.test(segment.text) || CHANGES_LEASE.test(segment.text))

const textOf = (segments: readonly Segment[]): string =>
  segments
    .map(segment => segment.text)
    .join(' ')
    .toLowerCase()

/**
 * True when a page below the first is headed as a lease, and of the parties that were read not one is named on both sides
 * of its top, though dates and amounts stand on both: a second lease that is written otherwise than can be read.
 */
export function beginsOnPage(view: View, parties: readonly string[]): boolean {
  if (parties.length === 0) return false
  const pages = [...topsOf(view)].slice(0, MOST_PAGES)
  const names = parties.map(name => name.toLowerCase())
  const seen = new Set(['lease'])
  const heads = pages.flatMap(([, segments], at) => {
    const titles = segments
      .slice(0, TOP)
      .filter(isWholeLease)
      .map(({ text }) => text.toLowerCase())
    // A title that was there before runs over the pages of one lease.
    const isNew = titles.some(title => !seen.has(title))
    for (const title of titles) seen.add(title)
    return at > 0 && isNew ? [at] : []
  })
  return heads.slice(0, MOST_HEADS).some(at => {
    const sides = [pages.slice(0, at), pages.slice(at)].map(side => side.flatMap(([, own]) => own))
    const texts = sides.map(textOf)
    const isWhole = sides.every(
      side => side.some(one => DATE.test(one.text)) && side.some(one => AMOUNT.test(one.text))
    )
    return isWhole && !names.some(name => texts.every(text => text.includes(name)))
  })
}
