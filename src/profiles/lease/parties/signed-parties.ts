import type { Evidence } from '../../find/evidence.ts'
import { originAt } from '../../find/layout/prose.ts'
import { originOf, type Segment, segmentsWithin } from '../../find/layout/sheet.ts'
import { readName } from '../../find/values/names.ts'
import type { View } from '../../find/view.ts'

type Role = 'landlord_name' | 'tenant_name'

/** Parties are named near the start; where they sign, anywhere. */
const SEARCHED = 40_000
const LETS = /^(?:the )?(?:sub|ground )?(?:landlord|lessor|owner)$/i
const TAKES = /^(?:the )?(?:sub|ground )?(?:tenant|lessee|resident|renter)$/i

const both = (found: readonly Evidence[]): Evidence[] => {
  const roles = new Set(found.map(piece => piece.field))
  return roles.size === 2 && found.length === 2 ? [...found] : []
}

/** `The landlord is A. The tenant is B.` */
const SAID =
  /\bthe (landlord|lessor|owner|tenant|lessee|renter)(?:['’]s name)? is ((?:[^.;:("“]|\.(?! \p{Lu}|$)){2,80}?)(?=\. \p{Lu}|[;:]|\.?$|, (?:who|whose|an? |and))/giu

/** Parties that short sentences name, each by its role. */
export function partiesSaid(view: View): Evidence[] {
  const matches = [...view.prose.text.slice(0, SEARCHED).matchAll(SAID)].slice(0, 4)
  const found = matches.flatMap(match => {
    const [whole, role = '', raw = ''] = match
    const read = readName(raw)
    const start = match.index + whole.length - raw.length
    const origin = read ? originAt(view.prose, start, start + raw.length) : null
    if (!read || !origin) return []
    const field: Role = LETS.test(role) ? 'landlord_name' : 'tenant_name'
    return [
      {
        field,
        value: read.name,
        raw: read.name,
        origin,
        status: 'found',
        flags: read.flags,
        score: 0.9,
        via: 'said'
      } as const
    ]
  })
  return both(found)
}

/** How far above its caption a name stands, and the line it is signed on, as shares of the page. */
const NAME_REACH = 0.035
const LINE_REACH = 0.08
const SIGNED_ON = /_{5,}|^\/s\/|\bsignature\b|^by:/i

function above(view: View, { page, box }: Segment, reach: number): Segment[] {
  return segmentsWithin(view.sheet, page, box[1] - reach, box[1])
    .filter(
      one =>
        one.page === page && one.box[1] < box[1] && one.box[3] <= box[1] + 0.005 && Math.abs(one.box[0] - box[0]) < 0.03
    )
    .toReversed()
}

function signedBy(view: View, caption: Segment): Evidence[] {
  const [name, ...over] = above(view, caption, LINE_REACH)
  if (!name || caption.box[1] - name.box[3] > NAME_REACH || !over.some(one => SIGNED_ON.test(one.text))) return []
  const read = readName(name.text)
  if (!read) return []
  const field: Role = LETS.test(caption.text) ? 'landlord_name' : 'tenant_name'
  return [
    {
      field,
      value: read.name,
      raw: read.name,
      origin: originOf(name),
      status: 'found',
      flags: read.flags,
      score: 0.86,
      via: 'signed'
    }
  ]
}

/** Names printed under the lines they are signed on, each over its role: where a lease names its parties nowhere else. */
export function partiesSigned(view: View): Evidence[] {
  const captions = view.sheet.segments.filter(({ text }) => LETS.test(text) || TAKES.test(text)).slice(-8)
  return both(captions.flatMap(caption => signedBy(view, caption)))
}
