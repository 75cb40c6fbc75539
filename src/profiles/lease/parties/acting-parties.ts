import type { Evidence } from '../../find/evidence.ts'
import type { View } from '../../find/view.ts'
import { evidenceFor } from './defined-parties.ts'

/** Parties are named near the start; a packet may put letters before the lease. */
const SEARCHED = 40_000

/** `between you, the resident: A, and us, the owner: B`, as contracts that speak to the tenant say it. */
const SPOKEN_TO =
  /\byou, the residents?(?:\(s\))?(?: \([^)]{0,80}\))?: ?([^:;]{2,120}?),? and us, the (?:owner|landlord|lessor)(?: \([^)]{0,80}\))?: ?([^:;(]{2,100})/i

/** Parties of a contract that calls them you and us. */
export function partiesSpokenTo(view: View): Evidence[] {
  const match = SPOKEN_TO.exec(view.prose.text.slice(0, SEARCHED))
  if (!match) return []
  const [, tenant = '', landlord = ''] = match
  const owner = landlord.split(/\. (?=\d)|(?<!\b(?:inc|co|corp|ltd|jr|sr|\p{L}))\. (?=\p{L})/iu)[0] ?? ''
  return [
    evidenceFor(view, { role: 'tenant_name', start: match.index, raw: tenant, score: 0.93 }),
    evidenceFor(view, { role: 'landlord_name', start: match.index, raw: owner, score: 0.93 })
  ].filter(piece => piece !== null)
}

/** `Lessor, A, hereby leases to Lessee, B, the premises`: the roles stand before the names. */
const IN_ACT =
  /\b(?:lessor|landlord|owner),? ([^;("“]{2,80}?),? (?:does )?(?:hereby )?(?:leases?|lets?|rents?|demises?) (?:and [a-z]+ )?(?:un)?to (?:the )?(?:lessee|tenant),? ([^;("“]{2,80}?),? (?:the|those|that|certain|real) /i

/** `A, of 1 Main Street, Lessor, hereby leases to B, Lessee`: the roles stand behind the names. */
const IN_ACT_AFTER =
  /(?:^|[.;:)] |\d{4},? |\n)([\p{L}\p{N}][^;("“\n]{1,90}?),(?: of [^;("“\n]{5,110}?,)? (?:as )?(?:lessor|landlord|owner),?(?: of [^;("“\n]{5,110}?,)? (?:does )?(?:hereby )?(?:leases?|lets?|rents?|demises?) (?:and [a-z]+ )?(?:un)?to\s([^;("“]{2,90}?),(?: of [^;("“]{5,110}?,)? (?:as )?(?:lessee|tenant)\b/iu

const WITNESSETH = /^witness(?:eth|es),? (?:that:? )?/i

/** The running text with a line end where a line begins that starts like a name; as long as the text itself. */
function withLineStarts(view: View): string {
  let text = view.prose.text.slice(0, SEARCHED)
  for (const start of view.prose.starts) {
    if (start >= SEARCHED) break
    const isName = start > 0 && /^\p{Lu}/u.test(text.slice(start, start + 2)) && text[start - 1] === ' '
    const isHeading = isName && !/[,\p{Ll}]$/u.test(text.slice(0, start - 1).slice(-1))
    if (isHeading) text = `${text.slice(0, start - 1)}\n${text.slice(start)}`
  }
  return text
}

/** Parties of a lease that names each before or behind its role in one sentence. */
export function partiesInAct(view: View): Evidence[] {
  const text = view.prose.text.slice(0, SEARCHED)
  const match = IN_ACT.exec(text) ?? IN_ACT_AFTER.exec(withLineStarts(view))
  if (!match) return []
  const [, landlord = '', tenant = ''] = match
  return [
    evidenceFor(view, {
      role: 'landlord_name',
      start: match.index,
      raw: landlord.replace(WITNESSETH, ''),
      score: 0.93
    }),
    evidenceFor(view, { role: 'tenant_name', start: match.index, raw: tenant, score: 0.93 })
  ].filter(piece => piece !== null)
}
