import type { Evidence } from '../../find/evidence.ts'
import { originAt } from '../../find/layout/prose.ts'
import { readName } from '../../find/values/names.ts'
import type { View } from '../../find/view.ts'

/** Parties are named near the start. */
const SEARCHED = 40_000

const LETS = /^(?:the )?(?:sub|ground )?(?:landlord|lessor|owner)s?$/i
const TAKES = /^(?:the )?(?:sub|ground )?(?:tenant|lessee|resident|renter)s?$/i
/** A party that is neither side. */
const NEITHER =
  /\b(?:guarantor|broker|agent|assign\w+|lender|bank|borrower|buyer|seller|manager|management|contractor|consultant|licensor|franchisor|escrow|premises|building|property|project|space|center|land|lease|sublease|agreement|term|master|prime|parties|date|rent)\b/i

/** `("District")`, `, hereinafter referred to as the "CITY"`: what a party is called. */
const CALLED =
  '(?:,? ?\\((?:each an? |hereinafter |hereinafter called |hereinafter referred to as |referred to (?:herein )?as |collectively,? )?(?:the )?["“‘\']{1,2}([^"“”’()]{3,30}?)[,.]?["”’\']{1,2}\\)|,? (?:hereinafter|herein|hereafter),? (?:called|referred to as|known as) (?:the )?["“‘]([^"“”’()]{3,30}?)[,.]?["”’])'
/** `between A ("District") and B ("Lessee")`. */
const PAIR = new RegExp(
  `\\bbetween:? (?:and among )?(?:the )?([^;("“]{2,160}?)${CALLED}[,;]? and (?:the )?([^;("“]{2,160}?)${CALLED}`,
  'gi'
)

type Role = 'landlord_name' | 'tenant_name'

function named(view: View, raw: string, start: number, field: Role): Evidence[] {
  const read = readName(raw)
  if (!read) return []
  const at = Math.max(view.prose.text.indexOf(read.name, start), start)
  const origin = originAt(view.prose, at, at + read.name.length)
  if (!origin) return []
  const { name, flags } = read
  return [{ field, value: name, raw: name, origin, status: 'found', flags, score: 0.9, via: 'other side' }]
}

/**
 * The side that a contract between two calls by a word of its own (`District`, `County`, `Company`), where the other is
 * called landlord or tenant.
 */
export function partyOnOtherSide(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  for (const match of [...text.matchAll(PAIR)].slice(0, 6)) {
    const [, one = '', plainOne, ownOne, other = '', plainOther, ownOther] = match
    const [first, second] = [plainOne ?? ownOne ?? '', plainOther ?? ownOther ?? '']
    const isKnown = (alias: string): boolean => LETS.test(alias) || TAKES.test(alias)
    if (isKnown(first) === isKnown(second) || NEITHER.test(first) || NEITHER.test(second)) continue
    const known = isKnown(first) ? first : second
    const field: Role = LETS.test(known) ? 'tenant_name' : 'landlord_name'
    return isKnown(first) ? named(view, other, match.index + one.length, field) : named(view, one, match.index, field)
  }
  return []
}
