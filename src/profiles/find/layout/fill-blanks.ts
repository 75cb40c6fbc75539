import { normWord, type Token } from './token.ts'

/** A run of words of a page, before it becomes a segment. */
export interface Run {
  readonly tokens: readonly Token[]
}

const BLANK = /_{3,}/
/** How far the middle of a filled-in value may stand above or below its rule, in heights of the text. */
const NEAR = 0.9

interface Blank {
  readonly run: number
  readonly token: Token
}

/** Height of a band in which blanks are looked for. */
const BAND = 0.03

const bandOf = (token: Token): number => Math.floor((token.box[1] + token.box[3]) / 2 / BAND)

function blanksOf(runs: readonly Run[]): Map<number, Blank[]> {
  const blanks = runs.flatMap(({ tokens }, run) =>
    tokens.filter(token => BLANK.test(token.text)).map(token => ({ run, token }))
  )
  return Map.groupBy(blanks, ({ token }) => bandOf(token))
}

const around = (blanks: ReadonlyMap<number, Blank[]>, band: number): Blank[] =>
  [band - 1, band, band + 1].flatMap(near => blanks.get(near) ?? [])

function isOver(filler: Token, blank: Token): boolean {
  const middle = (filler.box[1] + filler.box[3]) / 2
  const height = blank.box[3] - blank.box[1]
  const isLevel = Math.abs(middle - (blank.box[1] + blank.box[3]) / 2) < height * NEAR
  const start = filler.box[0] + (filler.box[2] - filler.box[0]) / 4
  return isLevel && start >= blank.box[0] - 0.01 && start <= blank.box[2]
}

/** Words written over the rule: what stands before and after it in the same word stays, as in `20____`. */
function filled(blank: Token, fillers: readonly Token[]): Token[] {
  const [before = '', after = ''] = blank.text.split(/_{3,}/)
  const texts = fillers.map(token => token.text)
  if (texts.length === 0) return [blank]
  texts[0] = before + texts[0]
  texts[texts.length - 1] += after
  return fillers.map((token, at) => {
    const text = texts[at] ?? token.text
    return { ...token, text, norm: normWord(text), gap: at === 0 ? blank.gap : 0.3 }
  })
}

/**
 * Puts values that were written over the rules of a form (`Landlord: ________`), as form fields or as text of its
 * own, into their place in the line, so that labels and sentences read as they look.
 */
export function fillBlanks(runs: readonly Run[]): Run[] {
  const blanks = blanksOf(runs)
  if (blanks.size === 0) return [...runs]
  const fillers = new Map<Token, Token[]>()
  const taken = new Set<number>()
  for (const [at, { tokens }] of runs.entries()) {
    const [first] = tokens
    if (!first || tokens.some(token => token.text.includes('_'))) continue
    const blank = around(blanks, bandOf(first)).find(other => other.run !== at && isOver(first, other.token))
    if (!blank) continue
    fillers.set(blank.token, [...(fillers.get(blank.token) ?? []), ...tokens])
    taken.add(at)
  }
  return runs
    .filter((_, at) => !taken.has(at))
    .map(({ tokens }) => ({ tokens: tokens.flatMap(token => filled(token, fillers.get(token) ?? [])) }))
}
