import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { probabilityOf } from './calibration.ts'
import { type Evidence, valueKey } from './evidence.ts'

/** Values whose scores lie closer than this are not told apart by them. */
const MARGIN = 0.1
/** What each further place that shows the same value adds, at most three times. */
const REPEAT = 0.02
/** What a second kind of find (another label, a sentence) adds. */
const OTHER_MEANS = 0.03

interface Group {
  readonly best: Evidence
  readonly score: number
  readonly mentions: number
}

function scoreGroup(evidence: readonly Evidence[]): Group {
  const [best, ...rest] = evidence.toSorted((a, b) => b.score - a.score) as [Evidence, ...Evidence[]]
  const means = new Set(evidence.map(piece => piece.via)).size
  const bonus = Math.min(rest.length, 3) * REPEAT + (means > 1 ? OTHER_MEANS : 0)
  return { best, score: Math.min(1, best.score + bonus), mentions: evidence.length }
}

/** The groups of equal values, best first. Order of equal scores is the order found, so that the outcome is the same every time. */
function rank(evidence: readonly Evidence[]): Group[] {
  const byValue = Map.groupBy(evidence, piece => valueKey(piece.value))
  return absorbParts(byValue)
    .map(scoreGroup)
    .toSorted((a, b) => b.score - a.score || b.mentions - a.mentions)
}

/** Fields whose value may also be written in part: a name without its legal form, an address without its city. */
const WRITTEN_IN_PART = new Set([
  'named_insured',
  'carrier_name',
  'tenant_name',
  'landlord_name',
  'property_address',
  'mailing_address'
])
/** The least letters and digits that make a part recognisable. */
const LEAST_PART = 6

/** Letters and digits two addresses must begin with to be one, written with and without town or code. */
const SAME_START = 10

interface Wording {
  readonly key: string
  readonly pieces: readonly Evidence[]
  readonly score: number
}

/** True when `part` is another wording of `whole`, and `whole` the one to show: the longer, or of two addresses the surer. */
function absorbs(whole: Wording, part: Wording, isAddress: boolean): boolean {
  if (whole.key.length > part.key.length && (whole.key.startsWith(part.key) || whole.key.endsWith(part.key))) {
    return whole.score >= part.score - MARGIN * 1.5
  }
  const start = part.key.slice(0, SAME_START)
  if (!isAddress || start.length < SAME_START || !whole.key.startsWith(start) || part.key.startsWith(whole.key))
    return false
  return whole.score > part.score || (whole.score === part.score && whole.key > part.key)
}

/** Puts the wordings of one value together, the one to show first; each lends its score. */
function absorbParts(byValue: ReadonlyMap<string, Evidence[]>): Evidence[][] {
  const wordings = [...byValue].map<Wording>(([key, pieces]) => ({
    key,
    pieces,
    score: Math.max(...pieces.map(piece => piece.score))
  }))
  const into = new Map<Wording, Wording>()
  for (const part of wordings) {
    const field = part.pieces[0]?.field ?? ''
    if (!WRITTEN_IN_PART.has(field) || part.key.length < LEAST_PART) continue
    const whole = wordings.find(other => other !== part && absorbs(other, part, field.endsWith('address')))
    if (whole) into.set(part, whole)
  }
  const groups = Map.groupBy(wordings, wording => rootOf(wording, into))
  return [...groups].map(([root, members]) => {
    const shown = root.pieces.toSorted((a, b) => b.score - a.score)[0]
    const others = members.filter(member => member !== root).flatMap(member => member.pieces)
    return [...root.pieces, ...others.map(piece => (shown ? { ...shown, score: piece.score, via: piece.via } : piece))]
  })
}

function rootOf(wording: Wording, into: ReadonlyMap<Wording, Wording>): Wording {
  const seen = new Set<Wording>()
  let root = wording
  for (let next = into.get(root); next && !seen.has(next); next = into.get(root)) {
    seen.add(next)
    root = next
  }
  return root
}

/** A value this many times as frequent as the next runs through the document; the other is a slip or another part's. */
const RUNNING = { times: 4, least: 5 }

function isRunning(first: Group, second: Group): boolean {
  return (
    first.score >= second.score && first.mentions >= RUNNING.least && first.mentions >= second.mentions * RUNNING.times
  )
}

/** The score of the best value a field has evidence for, as calibration is fitted to it; null without any. */
export function bestScore(evidence: readonly Evidence[]): number | null {
  return rank(evidence.filter(piece => piece.value !== null))[0]?.score ?? null
}

/** Nothing found for a field. `confidence` is how sure it is that nothing stands there. */
export function absentEnvelope(flags: readonly string[] = []): Envelope {
  return { value: null, raw: null, status: 'absent', confidence: probabilityOf('absent'), origin: null, flags }
}

function unreadable(evidence: readonly Evidence[]): Envelope {
  const [best] = evidence.toSorted((a, b) => b.score - a.score)
  if (!best) return absentEnvelope()
  const envelope: Envelope = {
    value: null,
    raw: best.raw,
    status: best.status,
    confidence: probabilityOf(best.status === 'absent' || best.status === 'redacted' ? 'absent' : 'undecided'),
    origin: best.origin,
    flags: best.flags
  }
  return best.readings ? { ...envelope, readings: best.readings } : envelope
}

/** Documents leave blanks to sign in; a blank stands against a value found elsewhere only where that is weak. */
const STANDS_AGAINST_BLANK = 0.8

function outweighs(piece: Evidence, first: Group): boolean {
  return piece.status !== 'absent' || first.score < STANDS_AGAINST_BLANK
}

/** True when a place spells the chosen value in words and writes another in digits, or the other way round. */
function contradicts(piece: Evidence, first: Group): boolean {
  if (!piece.flags.includes('WORDS_DIGITS_MISMATCH')) return false
  return piece.readings?.some(reading => valueKey(reading) === valueKey(first.best.value)) ?? false
}

/**
 * Decides one field: the value with the best evidence, or none. Different values that score alike are not decided
 * but handed on as readings (`MULTIPLE_CANDIDATES`); a better place that cannot be read is never passed over
 * for a worse one that can.
 */
export function choose(evidence: readonly Evidence[]): Envelope {
  const readable = evidence.filter(piece => piece.value !== null)
  const [first, second] = rank(readable)
  if (!first) return unreadable(evidence)
  const blocked = evidence.find(
    piece =>
      piece.value === null &&
      (contradicts(piece, first) || (piece.score > first.score + MARGIN && outweighs(piece, first)))
  )
  if (blocked) return unreadable([blocked])
  if (second && first.score - second.score < MARGIN && !isRunning(first, second)) {
    const readings: Json[] = [first.best.value, second.best.value]
    return {
      value: null,
      raw: first.best.raw,
      status: 'ambiguous',
      confidence: probabilityOf('undecided'),
      origin: first.best.origin,
      flags: ['MULTIPLE_CANDIDATES'],
      readings
    }
  }
  const { best, score } = first
  return {
    value: best.value,
    raw: best.raw,
    status: best.status,
    confidence: probabilityOf(score),
    origin: best.origin,
    flags: best.flags
  }
}
