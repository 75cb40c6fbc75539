import type { Evidence } from '../../find/evidence.ts'
import type { LabelHit } from '../../find/layout/labels.ts'
import { originAt } from '../../find/layout/prose.ts'
import { originOf, type Segment, segmentsWithin } from '../../find/layout/sheet.ts'
import { slotsOf, slotText } from '../../find/layout/slots.ts'
import { readName } from '../../find/values/names.ts'
import type { View } from '../../find/view.ts'

type Role = 'landlord_name' | 'tenant_name'

/** Parties are named near the start. */
const SEARCHED = 40_000
const LET = '(?:ground )?(?:landlord|lessor|owner|housing provider|sublandlord|sublessor)'
const TAKE = '(?:ground )?(?:tenant|lessee|resident|renter|subtenant|sublessee)'

const roleOf = (words: string): Role => (new RegExp(LET, 'i').test(words) ? 'landlord_name' : 'tenant_name')

function named(view: View, raw: string, place: { start: number; role: Role; via: string; score: number }): Evidence[] {
  const read = readName(raw)
  if (!read) return []
  const at = view.prose.text.indexOf(read.name, place.start)
  const origin = originAt(view.prose, at < 0 ? place.start : at, (at < 0 ? place.start : at) + read.name.length)
  if (!origin) return []
  const { role, via, score } = place
  return [{ field: role, value: read.name, raw: read.name, origin, status: 'found', flags: read.flags, score, via }]
}

/** `Landlord, A; and Tenant(s): B.` and the other way round: each role stands right before its name. */
const LISTED = new RegExp(
  `\\b(${LET}|${TAKE})(?:s|\\(s\\))?[,:] ([^;:("“]{2,100}?)[;,.]? (?:and|&) (?:the )?(${LET}|${TAKE})(?:s|\\(s\\))?[,:] ([^;:("“]{2,120}?)(?:[.;]|,? (?:for|who|agree)|$)`,
  'gi'
)

/** Where a party has its place, told before or behind its role. */
const OF_PLACE =
  '(?:,? (?:of(?! the (?:first|second|one|other)\\b)|whose address is|having an address (?:at|of)|residing at|located at) [^;:("“]{5,110}?)?'
/** Who takes a farm is its operator. */
const FARMS = `${TAKE}|(?:farm )?operator`
const OWNS = `${LET}|land ?owner`

/** `between A, Lessor, and B, Lessee`: each role right behind its name or its place, without marks. */
const BEHIND = new RegExp(
  `\\bbetween:? ([^;:("“]{2,110}?)${OF_PLACE},? (?:as |the )?(${OWNS}|${FARMS})s?${OF_PLACE},? and ([^;:("“]{2,110}?)${OF_PLACE},? (?:as |the )?(${OWNS}|${FARMS})s?(?=[.,;:]|$| premises\\b| property\\b| dated\\b| date\\b| of \\d)`,
  'gi'
)

/** `between (landlord) A and (tenant) B`: captions of blanks, each before what was typed into it. */
const CAPTION_FIRST =
  /\bbetween:? \((?:name of )?(?:the )?(landlord|lessor|owner)\) ([^;:("“]{2,110}?),? and \((?:name of )?(?:the )?(?:tenant|lessee|resident|renter)\) ([^;:("“]{2,110}?)(?:\. |[,;:]|$| for | of )/i

/** Parties typed behind the captions of their blanks. */
export function partiesBehindCaptions(view: View): Evidence[] {
  const match = CAPTION_FIRST.exec(view.prose.text.slice(0, SEARCHED))
  if (!match) return []
  const [, , landlord = '', tenant = ''] = match
  const base = { start: match.index, via: 'caption first', score: 0.94 }
  return [
    ...named(view, landlord, { ...base, role: 'landlord_name' }),
    ...named(view, tenant, { ...base, role: 'tenant_name' })
  ]
}

/** Parties of an opening sentence, each before its role. */
export function partiesBefore(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  const match = [...text.matchAll(BEHIND)].find(found => roleOf(found[2] ?? '') !== roleOf(found[4] ?? ''))
  if (!match) return []
  const [, one = '', first = '', other = '', second = ''] = match
  const base = { start: match.index, via: 'behind', score: 0.92 }
  return [
    ...named(view, one, { ...base, role: roleOf(first) }),
    ...named(view, other, { ...base, role: roleOf(second) })
  ]
}

/** `(b) Landlord. A, a Delaware corporation. (c) Tenant. B`: items that begin with what they tell, closed by a full stop. */
const ITEMS = new RegExp(
  `(?:^|[.;:)”"]\\.? )\\(?(?:[a-z]|\\d{1,2}(?:\\.\\d{1,2})?)[).]{1,2} (?:; )?(?:the |name of )?(${LET}|${TAKE})(?:['’]s name)?\\.(?: ;)? ([^;:("“]{2,110}?)(?=,? an? |,? ?[("“;]|\\. |\\.?$)`,
  'gi'
)

/** Parties of such items. */
export function partiesItemised(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  const found = [...text.matchAll(ITEMS)].slice(0, 6).flatMap(match => {
    const [, who = '', name = ''] = match
    return named(view, name, { start: match.index, role: roleOf(who), via: 'itemised', score: 0.9 })
  })
  return new Set(found.map(piece => piece.field)).size === 2 ? found : []
}

/** Parties listed in one sentence, each behind its role. */
export function partiesListed(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  const match = [...text.matchAll(LISTED)].find(found => roleOf(found[1] ?? '') !== roleOf(found[3] ?? ''))
  if (!match) return []
  const [, first = '', one = '', second = '', other = ''] = match
  const base = { start: match.index, via: 'listed', score: 0.92 }
  return [
    ...named(view, one, { ...base, role: roleOf(first) }),
    ...named(view, other, { ...base, role: roleOf(second) })
  ]
}

/** `A (name of owner)`: a form says below or behind its blank whose name stands there. */
const CAPTIONED =
  /([^()]{2,90}?),? ?(?:and )?\((?:(?:print(?:ed)?|full|legal) )?names?(?:\(s\))?(?: and address(?:es)?)? of (?:the )?(owner|landlord|lessor|tenant|lessee|resident|person(?:\(s\)|s)? to whom)[^()]{0,60}(?:\(s\)[^()]{0,40})?\)/gi

/** `the undersigned Landlord (A) and the undersigned Tenant (B)`: each name in brackets behind its role. */
const BRACKETED = new RegExp(`\\b(${LET}|${TAKE}) \\(([^()"“]{3,90})\\)`, 'gi')

/** Parties whose names stand in brackets behind their roles. */
export function partiesBracketed(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  const found = [...text.matchAll(BRACKETED)].slice(0, 4).flatMap(match => {
    const [, who = '', name = ''] = match
    return named(view, name, { start: match.index, role: roleOf(who), via: 'bracketed', score: 0.9 })
  })
  // Both or none: brackets behind one role hold anything.
  return new Set(found.map(piece => piece.field)).size === 2 ? found : []
}

/** `"Tenant" means B.`: parties among the definitions. */
const DEFINED = new RegExp(
  `["“](${LET}|${TAKE})["”],? (?:means|shall mean|is|refers to) ([^;("“]{2,110}?)(?:,? (?:an?|whose|having|and its|with)\\b|(?<!\\b\\p{L})\\.|;|$| \\d{1,2}\\.\\d| (?=["“]))`,
  'giu'
)

/** Parties that definitions name, and those of `by this lease A lets to B`. */
export function partiesMeant(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  const found = [...text.matchAll(DEFINED)].slice(0, 6).flatMap(match => {
    const [, who = '', name = ''] = match
    return named(view, name, { start: match.index, role: roleOf(who), via: 'defined', score: 0.9 })
  })
  const act =
    /\bby this lease,? ([^;("“]{2,80}?) (?:hereby )?(?:lets|leases|rents) to ([^;("“]{2,80}?) (?:for|the|a|an|that)\b/i.exec(
      text
    ) ??
    /\bI, ([^;("“]{2,60}?), (?:hereby )?(?:rent|lease|let) [^;("“]{3,140}? to ([^;("“]{2,80}?)(?=\. |,? (?:for|from|beginning|starting)\b)/.exec(
      text
    )
  if (!act) return found
  const [, landlord = '', tenant = ''] = act
  const base = { start: act.index, via: 'act', score: 0.9 }
  return [
    ...found,
    ...named(view, landlord, { ...base, role: 'landlord_name' }),
    ...named(view, tenant, { ...base, role: 'tenant_name' })
  ]
}

/** Names that captions in brackets explain. */
export function partiesCaptioned(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  return [...text.matchAll(CAPTIONED)].slice(0, 6).flatMap(match => {
    const [, before = '', who = ''] = match
    // The name is what the caption's blank holds: the words behind the sentence that leads to it.
    const words = before.split(/\b(?:between|by|and between|to)\b:? |[.;:] /i).at(-1) ?? ''
    const role = /^(?:owner|landlord|lessor)/i.test(who) ? 'landlord_name' : 'tenant_name'
    return named(view, words.replace(/^and /i, ''), { start: match.index, role, via: 'captioned', score: 0.9 })
  })
}

const HEAD = new RegExp(
  `^(?:the )?(${LET}|${TAKE})(?:s|\\(s\\)|['’]s)?(?: ?/ ?[a-z]+)?(?: (?:information|details|name))?[: ]*$`,
  'i'
)
/** Lines between a role and the name below it. */
const HEAD_REACH = 0.07
/** A name above one of these signs for a party that is called something else. */
const SIGNS = /^(?:title|its|by|signature|date)\b/i

/** `LESSEE` over `Name: B`: a role heads a block whose name has a caption of its own. */
export function partiesHeaded(view: View): Evidence[] {
  return view.labels.hits
    .filter(hit => hit.key === 'party_name')
    .slice(0, 20)
    .flatMap(hit => {
      const head = headOf(view, hit)
      const slots = slotsOf(view.labels, hit, view.sheet)
      const slot = slots.find(one => one.via !== 'below') ?? slots[0]
      const read = slot ? readName(slotText(slot)) : null
      if (!head || !slot || !read || isSignature(view, hit.segment)) return []
      const origin = originOf(slot.segment, slot.from, slot.to)
      const field = roleOf(head.text)
      return [
        {
          field,
          value: read.name,
          raw: read.name,
          origin,
          status: 'found',
          flags: read.flags,
          score: 0.9,
          via: 'headed'
        }
      ]
    })
}

function headOf(view: View, { segment, from }: LabelHit): Segment | undefined {
  const left = segment.tokens[from]?.box[0] ?? segment.box[0]
  return segmentsWithin(view.sheet, segment.page, segment.box[1] - HEAD_REACH, segment.box[1]).findLast(
    other => other.box[1] < segment.box[1] && Math.abs(other.box[0] - left) < 0.03 && HEAD.test(other.text)
  )
}

function isSignature(view: View, { page, box }: Segment): boolean {
  return segmentsWithin(view.sheet, page, box[1] - 0.05, box[3] + 0.05).some(
    other => Math.abs(other.box[0] - box[0]) < 0.05 && SIGNS.test(other.text)
  )
}
