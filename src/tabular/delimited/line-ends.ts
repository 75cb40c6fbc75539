import { type Block, CR, LF } from '../text/block.ts'

/** Line ends in the head of a file, those inside cells included: which, or `mixed`. */
export function lineEnds(block: Block): 'lf' | 'crlf' | 'cr' | 'mixed' | 'none' {
  const { codes } = block
  const found = new Set<'lf' | 'crlf' | 'cr'>()
  for (let at = 0; at < codes.length && found.size < 2; at++) {
    if (codes[at] === LF) found.add('lf')
    if (codes[at] !== CR || block.isSplitLineEnd(at)) continue
    found.add(codes[at + 1] === LF ? 'crlf' : 'cr')
    if (codes[at + 1] === LF) at++
  }
  const [only = 'none'] = found
  return found.size > 1 ? 'mixed' : only
}
