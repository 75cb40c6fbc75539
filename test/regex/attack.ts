/** Signs that stand for the classes an expression may name. */
const STAND_FOR: readonly (readonly [RegExp, string])[] = [
  [/\\s|\\p\{Z|\[[^\]]* /, ' \t'],
  [/\\d|0-9|\\p\{N/, '1'],
  [/\\w|a-z|A-Z|\\p\{L|\\S|\[\^|\\D|\\W|\.|\\b/, 'aA'],
  [/\\n|\\r|\\s|\[\^/, '\n'],
  [/\\p\{P|\\p\{S|\\W|\[\^|\./, '-$']
]
const MOST_SIGNS = 12
const MOST_WORDS = 12

/** Texts that, repeated, might make an expression go back and try again. */
export function pumpsFor(source: string): string[] {
  const signs = new Set<string>()
  for (const [pattern, text] of STAND_FOR) if (pattern.test(source)) for (const sign of text) signs.add(sign)
  const plain = source
    .replaceAll(
      /\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|\\[pP]\{[^}]*\}|\\[bBdDsSwWnrt]|\\u\w{4}|\\u\{\w+\}|\\x\w\w/g,
      '\uE000'
    )
    .replaceAll(/\\(.)/g, '$1')
  for (const sign of plain.replaceAll(/[\w\uE000()?*+|^$[\]{}]/g, '')) if (signs.size < MOST_SIGNS) signs.add(sign)
  for (const letter of plain.match(/\w/g) ?? []) if (signs.size < MOST_SIGNS) signs.add(letter)
  const words = [...new Set(plain.match(/[A-Za-z]{2,}|[A-Za-z](?= )/g) ?? [])].slice(0, MOST_WORDS)
  const list = [...signs]
  const pumps = new Set<string>([...list, ...words, ...words.map(word => `${word} `)])
  for (const one of list) for (const other of list) if (one !== other) pumps.add(one + other)
  for (const word of words) for (const sign of list) pumps.add(word + sign)
  return [...pumps]
}

/** What an expression costs on a text, in milliseconds: the least of some tries. */
function costOf(regex: RegExp, text: string, tries: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < tries; turn++) {
    const began = performance.now()
    if (regex.global) text.replace(regex, '')
    else {
      regex.lastIndex = 0
      regex.exec(text)
    }
    least = Math.min(least, performance.now() - began)
  }
  return least
}

const LENGTH = 2000
/** Enough to see what doubles with every sign before the world ends. */
const SHORT = 22
const ENDLESS_MS = 5
/** An expression that reads each sign a bounded number of times takes far less for so many. */
const SUSPECT_MS = 0.8
/** No noise of the machine makes so much of it. */
const CERTAIN_MS = 200
/** Twice the text is twice the work for what is linear, and four times for what is quadratic. */
const GROWTH = 2.8
const ENDS = ['', '\u0000', 'x 1']

export interface Weakness {
  readonly pump: string
  /** What 2,000 signs cost, in milliseconds; of what cannot be waited for, a few. */
  readonly ms: number
}

/** The text on which an expression takes more than twice as long when there is twice as much of it; null if none is found. */
export function weaknessOf(source: string, flags: string): Weakness | null {
  const regex = new RegExp(source, flags)
  const prefixes = ['', ...(source.match(/[A-Za-z]{3,}/g) ?? []).slice(0, 2)]
  const ends = prefixes.flatMap(prefix => ENDS.map(end => ({ prefix, end })))
  for (const pump of pumpsFor(source)) {
    for (const around of ends) {
      const weakness = weaknessAt(regex, { pump, ...around })
      if (weakness) return weakness
    }
  }
  return null
}

interface Attack {
  readonly prefix: string
  readonly pump: string
  readonly end: string
}

function weaknessAt(regex: RegExp, { prefix, pump, end }: Attack): Weakness | null {
  const textOf = (length: number): string => prefix + pump.repeat(Math.ceil(length / pump.length)) + end
  const few = costOf(regex, textOf(SHORT), 1)
  if (few > ENDLESS_MS && costOf(regex, textOf(SHORT), 2) > ENDLESS_MS) return { pump: prefix + pump, ms: few }
  const once = costOf(regex, textOf(LENGTH), 1)
  if (once < SUSPECT_MS) return null
  if (once > CERTAIN_MS && costOf(regex, textOf(LENGTH), 1) > CERTAIN_MS) return { pump: prefix + pump, ms: once }
  const ms = costOf(regex, textOf(LENGTH), 3)
  const isWeak = ms >= SUSPECT_MS && costOf(regex, textOf(2 * LENGTH), 3) > GROWTH * ms
  return isWeak ? { pump: prefix + pump, ms } : null
}
