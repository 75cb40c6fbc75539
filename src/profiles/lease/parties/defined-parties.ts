import type { Evidence } from '../../find/evidence.ts'
import { originAt, segmentAt } from '../../find/layout/prose.ts'
import { readName } from '../../find/values/names.ts'
import type { View } from '../../find/view.ts'

type Role = 'landlord_name' | 'tenant_name'

const ROLES =
  '(?:ground |sub|master )?(?:landlord|lessor)|owner|housing provider|owner/agent|(?:ground )?(?:tenant|lessee)|resident|renter|sublandlord|sublessor|subtenant|sublessee'

/** A role in quotation marks or brackets, or told: `("Landlord")`, `(Owner)`, `hereinafter called the TENANT`. */
const ROLE = new RegExp(
  `,? as (?:the )?(${ROLES})\\b(?=[,.;]| and\\b| dated\\b| \\(|$)|["“'‘]{1,2}(?:the )?(${ROLES})(?:s|\\(s\\))?[.,]?["”'’]{1,2}|\\((?:the )?(${ROLES})\\)|\\b(?:(?:herein(?:after)?|hereafter|from now on),? (?:called|referred to as|known as|termed)|referred to (?:herein |hereinafter |hereafter )?as) (?:the )?["“'‘]{0,2}(${ROLES})\\b`,
  'gi'
)
/** Parties are named near the start; a packet may put letters before the lease. */
const SEARCHED = 40_000
/** The longest description of one party, from its name to its role. */
const LONGEST_PARTY = 420

interface Mark {
  readonly role: Role
  readonly start: number
  readonly end: number
}

const roleOf = (word: string): Role =>
  /^(?:ground |sub|master )?(?:landlord|lessor|owner|housing)/i.test(word) ? 'landlord_name' : 'tenant_name'

function marksIn(text: string): Mark[] {
  return [...text.slice(0, SEARCHED).matchAll(ROLE)].slice(0, 40).map(match => ({
    role: roleOf(match.slice(1).find(word => word !== undefined) ?? ''),
    start: match.index,
    end: match.index + match[0].length
  }))
}

interface Naming {
  readonly role: Role
  readonly start: number
  readonly raw: string
  readonly score: number
}

/** A party that running text names, with its place. */
export function evidenceFor(view: View, { role, start, raw, score }: Naming): Evidence | null {
  const read = readName(raw)
  if (!read) return null
  const at = view.prose.text.indexOf(read.name, start)
  const origin =
    at < 0 ? originAt(view.prose, start, start + raw.length) : originAt(view.prose, at, at + read.name.length)
  if (!origin) return null
  return {
    field: role,
    value: read.name,
    raw: read.name,
    origin,
    status: 'found',
    flags: read.flags,
    score,
    via: 'parties'
  }
}

/** What opens the naming of parties; `by its manager, B` goes on with a party that was named. */
const OPENS =
  /^[\s\S]*\b(?:between|among|by(?! (?:its|and through|his|her|their|the|this)\b)|part(?:ies|y) to this (?:lease|agreement) are|parties:):?(?: and between:?)? /i
/** A party that is neither side: `B ("Assignor"), `, `B ("Guarantor") and `. */
const OTHER_PARTY =
  /^[\s\S]*\((?:the |each |collectively,? |hereinafter )?["“'‘][^"”'’()]{2,40}["”'’]{1,2}\)(?:[;,] and|[;,]| and) (?=\p{Lu})/u

/** The words between the start of a party's description and its role. */
function descriptionBefore(text: string, mark: Mark, floor: number): { start: number; words: string; opened: boolean } {
  const from = Math.max(floor, mark.start - LONGEST_PARTY)
  const words = text.slice(from, mark.start)
  const cut = OPENS.exec(words)?.[0].length ?? 0
  const lead =
    /^[\s),.;:”"’'•-]*(?:and[: ]+)?(?:in favou?r of )?(?:(?:the )?(?:[a-z]+ ){0,2}(?:land|ten|less|own|resid|rent)[a-z]{1,5}(?:\(s\))?: ?)?/i.exec(
      words.slice(cut)
    )?.[0].length ?? 0
  const skipped = cut + (OTHER_PARTY.exec(words.slice(cut))?.[0].length ?? lead)
  return { start: from + skipped, words: words.slice(skipped), opened: cut > 0 }
}

/** `between A and B ("Tenant")`: only the second role is named, both parties are there. */
function splitPair(view: View, mark: Mark, start: number, words: string): Evidence[] {
  const parts = words.split(/ and /i)
  const [first, second] = parts
  if (parts.length !== 2 || !first || !second || mark.role !== 'tenant_name') return []
  return [
    evidenceFor(view, { role: 'landlord_name', start, raw: first, score: 0.85 }),
    evidenceFor(view, { role: 'tenant_name', start: start + first.length, raw: second, score: 0.88 })
  ].filter(piece => piece !== null)
}

/** `A, as "Landlord", and B, as "Tenant"` names each before its role; `as "Landlord," A and as "Tenant," B` after it. */
function isNamedBefore(text: string, mark: Mark, floor: number): boolean {
  const { words, opened } = descriptionBefore(text, mark, floor)
  return (opened || floor > 0) && readName(words.replace(/,? as $/i, '')) !== null && /^[\s\S]*,? as $/i.test(words)
}

/** Right before the role at the start of a sentence, or behind what its subject does. */
const ACTS =
  /^ ?(?:(?:hereby |has )?(?:leased|rented|lease|rent|let|agrees|leases|subleases|lets|sublets|rents|demises|desires|wishes)\b)[^.;]{0,40}?\b(?:to|unto|from|with) (?=\p{Lu})/u

/** `A ("Landlord") agrees to rent to B ("Tenant")`: parties named as they act, without a `between`. */
function actingParty(view: View, mark: Mark, start: number, words: string): Evidence | null {
  const lead = ACTS.exec(words)?.[0]
  if (lead !== undefined)
    return evidenceFor(view, {
      role: mark.role,
      start: start + lead.length,
      raw: words.slice(lead.length),
      score: 0.93
    })
  const segment = view.prose.starts[segmentAt(view.prose, mark.start)] ?? 0
  const own = view.prose.text
    .slice(segment, mark.start)
    .replace(
      /^(?:\d{1,2}(?:\.\d{1,2})?\.? )?(?:parties[.:] )?(?:in consideration of [^.;]{0,60}?, )?(?:by this (?:instrument|indenture|agreement|lease),? |[^.;]{0,90}\bwitness(?:eth|es) that:? )?/i,
      ''
    )
  const follows = view.prose.text.slice(mark.end, mark.end + 60).replace(/^[)"”’' ]{1,4}/, ' ')
  if (own.length > 120 || !ACTS.test(follows)) return null
  return evidenceFor(view, { role: mark.role, start: mark.start - own.length, raw: own, score: 0.93 })
}

/** A date or a number before the first name of a document. */
const BEFORE_NAME =
  /^(?:\d{1,2}[.)] )?(?:(?:date|dated|this agreement)[:,]? )?(?:[^,;]{3,20} \d{1,2}, \d{4}|[\d/.-]{8,10}),? /i

/** `June 3, 2024, A ("Landlord") and B ("Tenant") agree`: the first party opens the sentence itself. */
function leadingParty(view: View, marks: readonly Mark[]): Evidence[] {
  const [mark, next] = marks
  if (!mark || !next || next.role === mark.role || next.start - mark.end > 250) return []
  const from = view.prose.starts[segmentAt(view.prose, mark.start)] ?? 0
  const own = view.prose.text.slice(from, mark.start)
  const raw = own.replace(BEFORE_NAME, '')
  if (raw.length > 120) return []
  const party = evidenceFor(view, { role: mark.role, start: mark.start - raw.length, raw, score: 0.9 })
  return party ? [party] : []
}

/** `A, a Delaware corporation, and B (collectively, "Tenant")`: one side of several, named with all of them. */
const TOGETHER = /,? \((?:together|collectively|jointly|individually|each)\b[^()"“]{0,60}$/i

function severalParties(view: View, mark: Mark, start: number, words: string): Evidence | null {
  if (!TOGETHER.test(words)) return null
  const parts = words.replace(TOGETHER, '').split(/[,;]? and (?=\p{Lu})|; (?=\p{Lu})/u)
  const names = parts.map(part => readName(part)?.name)
  const first = evidenceFor(view, { role: mark.role, start, raw: parts[0] ?? '', score: 0.9 })
  if (!first || names.length < 2 || names.includes(undefined)) return null
  return { ...first, value: names.join(' and '), raw: words.slice(0, 200) }
}

function partyAt(view: View, marks: readonly Mark[], index: number): Evidence[] {
  const { text } = view.prose
  const mark = marks[index]
  if (!mark) return []
  const before = text.slice(Math.max(0, mark.start - 12), mark.start)
  const previous = index > 0 ? (marks[index - 1]?.end ?? 0) : 0
  if (/(?:^|\b(?:by|and)|,) as $/i.test(before) && !isNamedBefore(text, mark, previous)) {
    const after = /^,? ?/.exec(text.slice(mark.end, mark.end + 3))?.[0].length ?? 0
    const start = mark.end + after
    const next = marks[index + 1]
    const reach = next ? text.slice(start, next.start).replace(/,? and as ?$/i, '') : text.slice(start, start + 120)
    const party = evidenceFor(view, { role: mark.role, start, raw: reach.split('. ')[0] ?? '', score: 0.9 })
    return party ? [party] : []
  }
  const { start, words: described, opened } = descriptionBefore(text, mark, previous)
  const words = described.replace(/,? (?:as|the) $/i, '')
  const acting = opened ? null : actingParty(view, mark, start, words)
  if (acting) return [acting]
  if (!opened && index === 0) return leadingParty(view, marks)
  if (!opened && words.length > 300) return []
  const isPair = opened && / and /i.test(words) && !marks.slice(0, index).some(other => other.role === 'landlord_name')
  if (isPair && index === 0) {
    const pair = splitPair(view, mark, start, words)
    if (pair.length > 0) return pair
  }
  const several = severalParties(view, mark, start, words)
  if (several) return [several]
  const whole = evidenceFor(view, { role: mark.role, start, raw: words, score: opened || index > 0 ? 0.95 : 0.9 })
  if (whole) return [whole]
  const last = words.toLowerCase().lastIndexOf(' and ')
  const tail =
    last < 0
      ? null
      : evidenceFor(view, { role: mark.role, start: start + last + 5, raw: words.slice(last + 5), score: 0.85 })
  return tail ? [tail] : []
}

/** The parties of the opening sentence, each by the role the document gives it. Only the first naming of a role counts. */
export function definedParties(view: View): Evidence[] {
  const marks = marksIn(view.prose.text)
  const found: Evidence[] = []
  for (const [index, mark] of marks.entries()) {
    if (found.some(piece => piece.field === mark.role)) continue
    found.push(...partyAt(view, marks, index).filter(piece => !found.some(other => other.field === piece.field)))
  }
  return found
}

interface Party {
  readonly name: string
  readonly start: number
  readonly aliases: readonly string[]
}

/** `Name, a … corporation, with its … (“Alias,” the “Client” or the “Company”)`. */
const ALIASES = /\((?:hereinafter |each |the )?(?:referred to as |called )?(?:the )?["“][^()]{2,160}["”]\)/g

function partiesByAlias(text: string): Party[] {
  const head = text.slice(0, 8000)
  const parties: Party[] = []
  let floor = 0
  for (const match of [...head.matchAll(ALIASES)].slice(0, 12)) {
    const aliases = [...match[0].matchAll(/["“]([^"“”]{2,40}?)[,.]?["”]/g)].map(alias => alias[1] ?? '')
    const { start, words, opened } = descriptionBefore(head, { role: 'tenant_name', start: match.index, end: 0 }, floor)
    const read = readName(words)
    floor = match.index + match[0].length
    const isParty = /\b(?:corporation|company|partnership|individual|place of business|address)\b/i.test(words)
    if (read && isParty && (opened || parties.length > 0)) parties.push({ name: read.name, start, aliases })
  }
  return parties
}

const WISH =
  /([\p{L}][\p{L}\d .&'-]{1,50}?) (?:desires|wishes|agrees|intends) to lease (?:[\p{L}]+ ){0,3}?(from|to) ([\p{L}][\p{L}\d .&'-]{1,50}?)(?:,| certain| the | a | such|;|\.)/gu

/** Parties called by names of their own, their roles told by who leases from whom. */
export function partiesByWish(view: View): Evidence[] {
  const { text } = view.prose
  const parties = partiesByAlias(text)
  if (parties.length < 2) return []
  const partyOf = (words: string): Party | undefined =>
    parties.find(party =>
      [party.name, ...party.aliases].some(alias => words.trim().toLowerCase().endsWith(alias.toLowerCase()))
    )
  for (const match of [...text.slice(0, 20_000).matchAll(WISH)].slice(0, 10)) {
    const [, subject = '', direction = '', object = ''] = match
    const [first, second] = [partyOf(subject), partyOf(object)]
    if (!first || !second || first === second) continue
    const tenant = direction === 'from' ? first : second
    const landlord = direction === 'from' ? second : first
    return [
      evidenceFor(view, { role: 'tenant_name', start: tenant.start, raw: tenant.name, score: 0.86 }),
      evidenceFor(view, { role: 'landlord_name', start: landlord.start, raw: landlord.name, score: 0.86 })
    ].filter(piece => piece !== null)
  }
  return []
}
