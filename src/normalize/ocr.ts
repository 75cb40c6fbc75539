/** Letters and marks that recognition gives for a digit. */
const DIGIT_FOR: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  I: '1',
  l: '1',
  '|': '1',
  '!': '1',
  i: '1',
  S: '5',
  s: '5',
  $: '5',
  B: '8',
  Z: '2',
  z: '2',
  G: '6',
  b: '6',
  T: '7',
  g: '9',
  q: '9',
  A: '4'
}

/** Largest share of characters that may be repaired without independent proof. */
const LARGEST_SHARE = { repaired: 3, of: 10 } as const

/** Text in which look-alikes were replaced, and how many. */
export interface Repaired {
  readonly text: string
  readonly repairs: number
}

/** Replaces every look-alike of a digit. Only for text that can hold digits alone, from recognised pictures. */
export function repairDigits(text: string): Repaired {
  let repairs = 0
  const repaired = Array.from(text, char => {
    const digit = DIGIT_FOR[char]
    if (digit === undefined) return char
    repairs += 1
    return digit
  })
  return { text: repaired.join(''), repairs }
}

/** True when the repairs are few enough (30 % of the non-blank characters) to stand without proof. */
export function isWithinRepairGate(repairs: number, original: string): boolean {
  const length = original.replaceAll(' ', '').length
  return repairs * LARGEST_SHARE.of <= length * LARGEST_SHARE.repaired
}

/** True when a letter that looks like a digit stands between digits, as in `447I9O2`. */
export function isPlausibleTail(key: string): boolean {
  return /\d[OIlSBZQD](?=\d)/.test(key)
}
