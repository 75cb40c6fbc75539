import type { Evidence } from '../find/evidence.ts'
import { originAt, segmentAt } from '../find/layout/prose.ts'
import { originOf } from '../find/layout/sheet.ts'
import { readName } from '../find/values/names.ts'
import { readPolicyNumber } from '../find/values/policy-number.ts'
import type { View } from '../find/view.ts'

/** Letters and certificates say in sentences what declarations say behind labels. Looked at in this many characters. */
const SEARCHED = 20_000
const MOST = 20

const NUMBER = /\bpolicy (?:number|no\.?|nbr\.?|#):? (?=[A-Z0-9#(])/gi
/** Words before it, in its sentence, that make it another policy's or an example. */
const OF_ANOTHER =
  /\b(?:prior|previous|expiring|expired|next|replac\w+|renewal of|renews|lieu of|rewrit\w+|underlying|followed|primary|controlling|companion|master|other|cancell?ed|supersed\w+|former|old|lender'?s|auto|home|examples?|samples?|specimen|for instance)\b[^.;]*$/i
/** How far before it such words are looked for, in characters. */
const BEFORE = 60
const STATED_NUMBER = 0.84

/** Numbers that sentences give: `is attached to and made part of Policy No. HX-700131`. */
function statedNumbers(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  return [...text.matchAll(NUMBER)].slice(0, MOST).flatMap(match => {
    const at = match.index + match[0].length
    const index = segmentAt(view.prose, at)
    const segment = view.prose.segments[index]
    if (!segment || OF_ANOTHER.test(text.slice(Math.max(0, match.index - BEFORE), match.index))) return []
    let offset = view.prose.starts[index] ?? 0
    const from = segment.tokens.findIndex(token => {
      const isHere = offset >= at
      offset += token.text.length + 1
      return isHere
    })
    const read = from < 0 ? null : readPolicyNumber(segment.tokens.slice(from))
    if (!read || from < 0) return []
    // At the end of a line the number may go on in the next one, or a house number may stand there.
    const next = view.prose.segments[index + 1]?.tokens[0]
    const isAtEnd = from + read.used === segment.tokens.length
    if (isAtEnd && next && readPolicyNumber([...segment.tokens.slice(from), { ...next, gap: 0 }])?.used !== read.used)
      return []
    const evidence: Evidence = {
      field: 'policy_number',
      value: read.number,
      raw: read.number,
      origin: originOf(segment, from, from + read.used),
      status: 'found',
      flags: [],
      score: STATED_NUMBER,
      via: 'sentence'
    }
    return [evidence]
  })
}

/** `We insure Ilse Brenner under policy …`, `is issued to Ilse Brenner for the period …`. */
const INSURED =
  /\b(?:insures|(?:[Pp]olicy|[Cc]ertificate|[Ii]nsurance|[Cc]overage)(?: (?:[Nn]umber|[Nn]o\.?) [A-Z\d-]{4,25})? (?:is|was|has been) issued to|[Tt]his certifies that|[Tt]his is to certify that) (?=\p{Lu})([^;]{4,90}?)(?=,? (?:under (?:policy|the|this)|for (?:the|a) (?:policy )?(?:period|term)|against|whose|located|residing|is insured|has been insured|is covered)\b)/gu
const STATED_INSURED = 0.88

function statedInsureds(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  return [...text.matchAll(INSURED)].slice(0, MOST).flatMap(match => {
    const raw = match[1] ?? ''
    const read = readName(raw)
    const start = match.index + match[0].length - raw.length
    const origin = originAt(view.prose, start, start + raw.length)
    if (!read || !origin || read.name.split(' ').length < 2) return []
    return [
      {
        field: 'named_insured',
        value: read.name,
        raw,
        origin,
        status: 'found',
        flags: read.flags,
        score: STATED_INSURED,
        via: 'sentence'
      }
    ]
  })
}

/** Number and insured as sentences state them. */
export const statedParties = (view: View): Evidence[] => [...statedNumbers(view), ...statedInsureds(view)]
