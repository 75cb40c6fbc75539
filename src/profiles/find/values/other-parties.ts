import { type Evidence, valueKey } from '../evidence.ts'
import type { LabelHit } from '../layout/labels.ts'
import { slotsOf, slotText } from '../layout/slots.ts'
import type { View } from '../view.ts'
import { readName } from './names.ts'

/** Labels of parties that are never the one a record is about. */
const OTHER_PARTY =
  /\b(?:mortgagee|lienholder|loss payee|certificate holder|agent|agency|producer|broker|guarantors?|property manager|underwriter)\b/i

/** Names looked at; a schedule may list hundreds. */
const MOST = 60

function nameBehind(hit: LabelHit, view: View): string | null {
  const [slot] = slotsOf(view.labels, hit, view.sheet)
  return slot ? (readName(slotText(slot))?.name ?? null) : null
}

/** The names behind labels of other parties, by their letters: agents, lenders, guarantors. */
export function otherParties(view: View): Set<string> {
  const hits = view.labels.hits.filter(hit => OTHER_PARTY.test(hit.phrase)).slice(0, MOST)
  return new Set(hits.flatMap(hit => nameBehind(hit, view) ?? []).map(name => valueKey(name)))
}

/** What is left of a name that the document also calls another party's: it stands against itself. */
const CONTESTED = 0.5

/** Lowers names that stand behind the label of another party as well; whoever it is, a person has to say. */
export function contestOthers(evidence: readonly Evidence[], field: string, view: View): Evidence[] {
  const others = otherParties(view)
  return evidence.map(piece =>
    piece.field === field && piece.value !== null && others.has(valueKey(piece.value))
      ? { ...piece, score: piece.score * CONTESTED, flags: [...piece.flags, 'OTHER_PARTY'] }
      : piece
  )
}
