import { readMoney } from '../../../normalize/money.ts'
import type { Evidence } from '../../find/evidence.ts'
import { originAt } from '../../find/layout/prose.ts'
import { findAmounts } from '../../find/values/mentions.ts'
import { againstWords, wordsBeside } from '../../find/values/worded-amount.ts'
import type { View } from '../../find/view.ts'
import { lastPart, MOST_AMOUNTS } from './lease-rent.ts'
import { EXAMPLE } from './rent-cues.ts'

const DEPOSIT_BEFORE =
  /\b(?:security|damage) deposit(?: (?:is|of|amount))?:? ?$|\b(?:total )?security deposit\b[^.;]{0,130}\bis $|\b(?:has|have|hereby|shall|will) (?:this day |simultaneously |herewith )?deposit(?:ed|s)? (?:with (?:the )?(?:sub)?(?:landlord|lessor|owner),? )?(?:the (?:sum|amount) of )?$|\b(?:security |damage |refundable )?deposit (?:of|in the (?:sum|amount) of|equal to|totall?ing) (?:the sum of )?$|\b(?:security deposit|deposit with (?:the )?landlord|damage deposit|as (?:a )?(?:security )?deposit|security)\b[^.;]{0,70}$|\bsecurity deposit\. (?:[a-z]+ ){1,3}(?:deposits?|pays?|posts?) (?:the sum of )?$/i
const DEPOSIT_AFTER =
  /^[^.;]{0,12}\bas (?:a )?(?:security )?deposit\b|^[^.;]{0,40}\b(?:to hold|held|to be held) as security\b|^[^.;]{0,40}(?:representing the|as (?:a |the )?|for the )security deposit|^,? as security\b(?! of)|^ ?\((?:the )?["“]security deposit/i

/** `, shall be refunded to Tenant` behind an amount: the deposit that was. */
const GIVEN_BACK =
  /^[),"”]{0,3} ?,? ?(?:previously (?:paid|deposited)[^.;]{0,30} )?(?:(?:shall|will|is to|is|has|was) (?:be |been )?(?:hereby )?(?:refunded|returned|released|repaid|waived)|to be (?:refunded|returned|released|repaid))\b/i

/** The security deposit as a sentence states it. */
export function sentenceDeposits(view: View): Evidence[] {
  const { text } = view.prose
  return findAmounts(text)
    .slice(0, MOST_AMOUNTS)
    .flatMap(amount => {
      const before = lastPart(text.slice(Math.max(0, amount.start - 180), amount.start))
      const after = text.slice(amount.end, amount.end + 60)
      if (
        /\b(?:pet|key|animal|holding|earnest|(?:first|last)(?: month)?[’']?s?|month[’']?s|interest|not (?:to )?exceed|reduc\w+|returns?|refund\w*|obligation|remaining)\b[^.;]{0,50}$/i.test(
          before
        )
      )
        return []
      if (
        (!DEPOSIT_BEFORE.test(before) && !DEPOSIT_AFTER.test(after)) ||
        EXAMPLE.test(before) ||
        GIVEN_BACK.test(after)
      )
        return []
      const origin = originAt(view.prose, amount.start, amount.end)
      if (!origin) return []
      const raw = amount.raw.replace(/^\(?(?:US ?(?=\$))?|\)$/g, '')
      const { value, status, flags } = readMoney(raw, view.context)
      const evidence: Evidence = {
        field: 'security_deposit',
        value,
        raw,
        origin,
        status,
        flags,
        score: 0.82,
        via: 'sentence'
      }
      return [againstWords(evidence, wordsBeside(text, amount))]
    })
}
