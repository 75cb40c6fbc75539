/** What windows-1252 shows for the bytes 0x80 to 0x9f; five of them are nothing and are kept as they are. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const BYTES = new Map(Array.from(WINDOWS_1252, (letter, at) => [letter, 0x80 + at]))
/** Bytes that UTF-8 begins letters of Europe and its punctuation with, as that code page shows them. */
const BEGINS = /[ÂÃÄÅÎÏÐÑâ]/
/** No text has these: a program took windows-1252 for Latin-1, so that `O’Brien` lost its apostrophe to one of them. */
const CONTROLS = /[\u0080-\u009f]/
const CONTROLS_ALL = new RegExp(CONTROLS, 'g')
const TELLING = /[\p{L}‘’“”–—…]/u
/** Longer texts are descriptions; what is wrong in them is seen in their beginning. */
const LONGEST = 2000

/**
 * What a text was before a program took its UTF-8 for windows-1252 (`JosÃ©`), or its windows-1252 for Latin-1, or null for a text that shows no such thing.
 * Which of the two is right is not guessed here.
 */
export function mojibakeOf(raw: string): string | null {
  if (raw.length > LONGEST) return null
  const before = BEGINS.test(raw) ? takenForWindows1252(raw) : null
  if (before !== null || !CONTROLS.test(raw)) return before
  return raw.replace(CONTROLS_ALL, control => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control)
}

function takenForWindows1252(raw: string): string | null {
  const bytes: number[] = []
  for (const letter of raw) {
    const code = letter.codePointAt(0) ?? 0
    const byte = code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : BYTES.get(letter)
    if (byte === undefined) return null
    bytes.push(byte)
  }
  const before = decoded(Uint8Array.from(bytes))
  const changed = before?.replace(/[\0-\x7f]/g, '') ?? ''
  return before !== null && TELLING.test(changed) ? before : null
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
