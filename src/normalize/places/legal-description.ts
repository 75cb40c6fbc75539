import { foldShort } from '../text.ts'

/** A lot in a recorded subdivision. */
export interface LotAndBlock {
  readonly lot: string
  readonly block: string | null
  readonly subdivision: string | null
}

const LOT = /^lots? ([\dA-Z-]{1,10})\b,? ?(?:(?:block|blk\.?) ([\dA-Z-]{1,10})\b)?,? ?/i

/** Reads `Lot 4 Blk 2 Sunny Acres`; null for descriptions of any other kind, which stay text. */
export function readLotAndBlock(raw: string): LotAndBlock | null {
  const text = foldShort(raw, 300)
  const parts = LOT.exec(text)
  if (!parts) return null
  const subdivision = text.slice(parts[0].length).toUpperCase()
  return { lot: parts[1] ?? '', block: parts[2] ?? null, subdivision: subdivision === '' ? null : subdivision }
}
