import type { ReadingContext } from '../../model/reading.ts'
import { readPercent } from '../amounts/percent.ts'
import { foldShort } from '../text.ts'

/** A term of property insurance that looks like an amount and is none. Shares are fractions of one. */
export type PropertyTerm =
  | { readonly kind: 'coinsurance' | 'minimum_earned'; readonly share: string }
  | { readonly kind: 'agreed_value' | 'replacement_cost' | 'actual_cash_value' }

/** Reads `80% Coins.`, `Agreed Value`, `RC`, `ACV`, `25% Minimum Earned`; null for anything else. */
export function readPropertyTerm(raw: string, context: ReadingContext): PropertyTerm | null {
  const text = foldShort(raw, 80)
  if (/^agreed (?:value|amount)$/i.test(text)) return { kind: 'agreed_value' }
  if (/^(?:rc|rcv|replacement cost(?: value)?)$/i.test(text)) return { kind: 'replacement_cost' }
  if (/^(?:acv|actual cash value)$/i.test(text)) return { kind: 'actual_cash_value' }
  const share = /^(\d{1,3}%) ?(coins(?:urance|\.)?|minimum earned(?: premium)?)$/i.exec(text)
  const fraction = share ? readPercent(share[1] ?? '', context).value : null
  if (!share || fraction === null) return null
  return { kind: /^coins/i.test(share[2] ?? '') ? 'coinsurance' : 'minimum_earned', share: fraction }
}
