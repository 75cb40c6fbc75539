import { belowOf, rightOf } from './neighbours.ts'
import type { Segment, Sheet } from './sheet.ts'
import { normWord, type Token } from './token.ts'

/** What a label phrase announces. `key` groups phrases that mean the same; `weight` says how specific it is, 0–1. */
export interface LabelPhrase {
  readonly phrase: string
  readonly key: string
  readonly weight: number
  /** True for a word that opens values as well (`Unit 4B, 123 Maple Street`): a label only with a colon or alone. */
  readonly isApart?: boolean
}

/** How a label stands in its line: with a colon, alone, before its value, or somewhere inside a sentence. */
export type LabelForm = 'colon' | 'whole' | 'lead' | 'inside'

/** One place where a label phrase stands. `from` and `to` are token positions, `to` exclusive. */
export interface LabelHit {
  readonly key: string
  readonly weight: number
  readonly phrase: string
  readonly segment: Segment
  readonly from: number
  readonly to: number
  readonly form: LabelForm
  /** As of its phrase. */
  readonly isApart?: boolean
}

interface Node {
  readonly next: Map<string, Node>
  label: LabelPhrase | null
}

/** Phrases as a tree of words, so that one pass over a document finds all of them, longest first. */
export type LabelTree = Node

/** Builds the tree. Two phrases with the same words: the first one given wins. */
export function labelTree(phrases: readonly LabelPhrase[]): LabelTree {
  const root: Node = { next: new Map(), label: null }
  for (const label of phrases) {
    let node = root
    for (const word of label.phrase.split(' ').map(normWord).filter(Boolean)) {
      const next = node.next.get(word) ?? { next: new Map(), label: null }
      node.next.set(word, next)
      node = next
    }
    node.label ??= label
  }
  return root
}

interface Match {
  readonly label: LabelPhrase
  readonly to: number
}

function longestFrom(tree: LabelTree, segment: Segment, start: number): Match | null {
  let node: Node | undefined = tree
  let found: Match | null = null
  let isOpen = false
  for (let at = start; at < segment.tokens.length; at += 1) {
    const token = segment.tokens[at]
    if (!token) break
    // A lone slash or dash inside a label ("Landlord / Lessor") carries no meaning.
    if (token.norm === '' && at > start) continue
    if (at > start && token.gap > 2.5) break
    node = node.next.get(token.norm)
    if (!node) break
    // `Premises (street address, city)`: a phrase does not end inside brackets.
    if (token.text.startsWith('(')) isOpen = true
    if (token.text.includes(')')) isOpen = false
    if (node.label && !isOpen) found = { label: node.label, to: at + 1 }
    if (/[:.;?!]$/.test(token.text) && !/\b(no|pol|eff|exp|num|ins|ded|est)\.$/i.test(token.text)) break
  }
  return found
}

/** `POLICY NUMBER: (HX 700131)`: a number in brackets behind a colon is the value, no note. */
function isFramed({ tokens }: Segment, from: number): boolean {
  const behind = tokens.slice(from).map(token => token.text)
  return (
    (tokens[from - 1]?.text.endsWith(':') ?? false) &&
    /^\([A-Z0-9 .-]{0,20}\d{3}[A-Z0-9 .-]{0,20}\)$/.test(behind.join(' '))
  )
}

/** Words that may follow a label without being its value: `(MM/DD/YYYY)`, `(First Named Insured)`, `*`. */
function trailerEnd(segment: Segment, from: number): number {
  if (isFramed(segment, from)) return from
  let at = from
  let open = false
  while (at < segment.tokens.length) {
    const text = segment.tokens[at]?.text ?? ''
    if (!open && !text.startsWith('(') && !/^[*:.…\-–—†|]+$/.test(text)) break
    open = text.startsWith('(') || open ? !/\)[:*.,]?$/.test(text) : false
    at += 1
  }
  return open ? from : at
}

/** After these a label's word is part of what is said: "to Tenant:", "the Landlord". */
const BOUND = new Set(
  'to the by of from for and or if any each such between with a an his her its their our said'.split(' ')
)

/** A word with a full stop or comma ends or divides a sentence, unless the stop marks a short form. */
const endsSentence = (text: string): boolean =>
  /[.,;]["”’']{0,2}$/.test(text) && !/^(?:no|nos|pol|eff|exp|num|ins|ded|est)\.$/i.test(text)

/** Dots that lead from a label to its value. */
const LEADER = /\.{4,}|…{2,}/

/** `(a)` before a label numbers it; `a` binds it into a sentence. */
const isBound = (before: Token | undefined): boolean =>
  before !== undefined && /^\p{L}+$/u.test(before.text) && BOUND.has(before.norm)

function formOf(segment: Segment, from: number, to: number, labelledTo: number): LabelForm {
  const last = segment.tokens[to - 1]?.text ?? ''
  // A label in braces or brackets is a place for a value, not a label beside one.
  if (/[{}[\]]/.test(last)) return 'inside'
  // `the "Commencement Date") and` at the start of a line is the end of a definition.
  const isJoined = from === 1 && segment.tokens[0]?.norm === 'and' && last.endsWith(':')
  if (endsSentence(last) || /["”]\)[.,;]?$/.test(last) || (isBound(segment.tokens[from - 1]) && !isJoined))
    return 'inside'
  const end = trailerEnd(segment, to)
  const trailer = segment.tokens
    .slice(to, end)
    .map(token => token.text)
    .join('')
  if (/[:]\)?$/.test(last) || trailer.includes(':') || LEADER.test(trailer)) return 'colon'
  const startsHere =
    from === 0 ||
    from === labelledTo ||
    (segment.tokens[from]?.gap ?? 0) > 2.5 ||
    leadsIn(segment, from) ||
    isAfterRule(segment, from) ||
    isYours(segment, from)
  if (!startsHere) return 'inside'
  const next = segment.tokens[end]
  if (!next || next.gap > 2.5) return 'whole'
  return 'lead'
}

/** `Your policy begins on` is a label like one without the first word. */
const isYours = ({ tokens }: Segment, from: number): boolean => from === 1 && tokens[0]?.norm === 'your'

/** `Policy # HX-1 | Effective 1 May 2024`: an upright or a dot between fields begins the next one. */
const isAfterRule = ({ tokens }: Segment, from: number): boolean => /^[|•·]$/.test(tokens[from - 1]?.text ?? '')

/** `1.`, `2)`, `a.)`, `Item 2.`, `I.` before a label are its number, not text. */
export function leadsIn(segment: Segment, from: number): boolean {
  return segment.tokens
    .slice(0, from)
    .every(token =>
      /^(?:\(?[0-9ivx]{1,4}[.)]{1,2}|\(?[a-z][.)]{1,2}|[0-9]+(?:\.[0-9]+)*\.?|item|section|[•·\-–*☐☒x|]+)$/i.test(
        token.text
      )
    )
}

/** Before a label these make it that of a contract that is over: `Prior Term:`, `Previous Rent`. */
const BYGONE = new Set(
  'prior previous expiring expired former preceding old original replaced replaces replacing renewed renews superseded supersedes underlying companion cancelled canceled last master'.split(
    ' '
  )
)

/** `Prior Term`, `Last year's premium`: the word may stand one further word before the label. */
function isBygoneBefore(segment: Segment, at: number, isLone: boolean): boolean {
  const [near, far] = [segment.tokens[at - 1], segment.tokens[at - 2]]
  const isJoined = (index: number): boolean => (segment.tokens[index]?.gap ?? 0) < 1
  if (!near || !isJoined(at)) return false
  if (BYGONE.has(near.norm) || /^(?:carriers?|insurers?|followed)$/.test(near.norm)) return true
  if (far === undefined || !isJoined(at - 1) || !BYGONE.has(far.norm)) return false
  // `Underlying NFIP policy`: before a label of one word any word may stand between.
  return isLone || /^(?:years?|terms?|months?|policy|carriers?|lease)$/.test(near.norm)
}

/** `Option Term ends:` is about the option term: what goes on with a label of another thing is of that thing. */
const goesOn = (last: LabelHit | undefined, segment: Segment, at: number): boolean =>
  last?.key === 'not' &&
  last.to === at &&
  (segment.tokens[at]?.gap ?? 0) < 1 &&
  !/[:)]$/.test(segment.tokens[at - 1]?.text ?? '')

function labelsOf(tree: LabelTree, segment: Segment): LabelHit[] {
  const hits: LabelHit[] = []
  // A label right after a label heads the next column of the same line.
  let labelledTo = -1
  for (let at = 0; at < segment.tokens.length; ) {
    const match = longestFrom(tree, segment, at)
    if (!match) {
      at += 1
      continue
    }
    const form = formOf(segment, at, match.to, labelledTo)
    if (match.label.isApart && form !== 'colon' && form !== 'whole') {
      at += 1
      continue
    }
    const isBygone = isBygoneBefore(segment, at, match.to - at === 1) || goesOn(hits.at(-1), segment, at)
    hits.push({ ...match.label, key: isBygone ? 'not' : match.label.key, segment, from: at, to: match.to, form })
    if (form !== 'inside') labelledTo = match.to
    // What stands in brackets behind a label explains it: `Tenant (full legal name)`.
    at = form === 'inside' ? match.to : trailerEnd(segment, match.to)
  }
  return hits
}

/** A label is broken over this many lines at most, and each has this many words at most. */
const MOST_LINES = 3
const MOST_WORDS = 4
/** Lines that may begin one: a look below each of more would take a hostile page of many words too long. */
const MOST_STARTS = 600
/** Left edges of its lines differ by less, and they stand closer than this, in heights of a line. */
const SAME_LEFT = 0.012
const CLOSE = 0.8

const isLineOfLabel = ({ tokens, text }: Segment): boolean => tokens.length <= MOST_WORDS && !/\d/.test(text)

/** The line right below that a label may go on in. */
function nextLine(sheet: Sheet, segment: Segment): Segment | undefined {
  const below = belowOf(sheet, segment).find(other => Math.abs(other.box[0] - segment.box[0]) < SAME_LEFT)
  const isClose = below !== undefined && below.box[1] - segment.box[3] < (segment.box[3] - segment.box[1]) * CLOSE
  return isClose && isLineOfLabel(below) ? below : undefined
}

/** Where the words of a line lead in the tree of phrases; null where no phrase goes on with them. */
function nodeAfter(from: Node, { tokens }: Segment): Node | null {
  let node: Node | undefined = from
  for (const { norm } of tokens) if (norm !== '') node = node?.next.get(norm)
  return node ?? null
}

/** `Policy effective` over `date`: the lines of one broken label, whose value stands by the last. Empty when it is none. */
function linesOfLabel(tree: LabelTree, sheet: Sheet, first: Segment): { lines: Segment[]; label: LabelPhrase } | null {
  if (!isLineOfLabel(first) || first.text.endsWith(':')) return null
  const lines = [first]
  let node = nodeAfter(tree, first)
  let found: { lines: Segment[]; label: LabelPhrase } | null = null
  while (node !== null && node.next.size > 0 && lines.length < MOST_LINES) {
    const next = nextLine(sheet, lines.at(-1) ?? first)
    if (!next) break
    lines.push(next)
    node = nodeAfter(node, next)
    if (node?.label) found = { lines: [...lines], label: node.label }
    if (next.text.endsWith(':')) break
  }
  return found
}

/** A label as sure as this is one by itself, whatever stands below it. */
const BY_ITSELF = 0.85

/** True for a line beside which a figure stands: a row of a list, whose label ends with it. */
const isOfRow = (sheet: Sheet, segment: Segment): boolean => /\d/.test(rightOf(sheet, segment)[0]?.text ?? '')

/** Labels broken over lines, in place of what their lines say alone. Two labels that stand below one another are no such one. */
function withBroken(tree: LabelTree, sheet: Sheet, hits: readonly LabelHit[]): LabelHit[] {
  const bySegment = Map.groupBy(hits, hit => hit.segment)
  const broken = new Map<Segment, LabelHit>()
  const starts = sheet.segments.filter(
    segment => isLineOfLabel(segment) && (nodeAfter(tree, segment)?.next.size ?? 0) > 0
  )
  for (const first of starts.slice(0, MOST_STARTS)) {
    const found = broken.has(first) ? null : linesOfLabel(tree, sheet, first)
    if (!found) continue
    const { lines, label } = found
    const isOther = (segment: Segment): boolean =>
      bySegment
        .get(segment)
        ?.some(hit => hit.key !== label.key && (segment === first ? hit.weight >= BY_ITSELF : hit.key !== 'not')) ??
      false
    if (lines.some(segment => isOther(segment) || isOfRow(sheet, segment))) continue
    for (const segment of lines) {
      const isLast = segment === lines.at(-1)
      const form = segment.text.endsWith(':') ? 'colon' : 'whole'
      const key = isLast ? label.key : 'not'
      broken.set(segment, { ...label, key, segment, from: 0, to: segment.tokens.length, form })
    }
  }
  if (broken.size === 0) return [...hits]
  const kept = hits.filter(({ segment }) => !broken.has(segment))
  return [...kept, ...broken.values()].toSorted((a, b) => a.segment.index - b.segment.index || a.from - b.from)
}

/** Finds every label of a sheet in one pass, longest phrase first, never two over the same words. */
export function findLabels(tree: LabelTree, sheet: Sheet): LabelHit[] {
  const hits = sheet.segments.flatMap(segment => labelsOf(tree, segment))
  return withBroken(tree, sheet, hits)
}

/** Where the value part of a label's own line begins: after its colon, its number and any note in brackets. */
export function valueStart(hit: LabelHit): number {
  return trailerEnd(hit.segment, hit.to)
}
