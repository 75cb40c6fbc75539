/** Longest name kept, in characters. */
const MAX_NAME = 255

/** Control and format characters (CR, LF, NUL, bidirectional overrides, zero width) have no place in a name. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * The name a file is stored and shown under: NFC, without folders, control characters and direction overrides. It is
 * never used as a path. A name of which nothing is left becomes `file-<number>`.
 */
export function cleanFileName(given: string | undefined, number: number): string {
  const whole = (given ?? '').slice(0, 4096).toWellFormed().normalize('NFC')
  const last = whole.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1)
  const name = shorten(last.replace(UNSAFE, '').trim())
  return name === '' || name === '.' || name === '..' ? `file-${number}` : name
}

/** Longest path kept, in characters, and the most folders of it. */
const MAX_PATH = 500
const MAX_FOLDERS = 20

/**
 * The path of an archive's entry as it is shown: every part of it cleaned like a name, without drive letters and parts
 * that climb. Of a path that is too long the end is kept, where the name is. Never used as a path of a file system.
 */
export function cleanPath(given: string, number: number): string {
  const parts = given
    .slice(0, 65_536)
    .toWellFormed()
    .normalize('NFC')
    .split(/[\\/]/)
    .map(part => shorten(part.replace(UNSAFE, '').trim()))
    .filter(part => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part))
  const kept = parts.slice(-MAX_FOLDERS)
  while (kept.length > 1 && kept.join('/').length > MAX_PATH) kept.shift()
  const path = kept.join('/') || `entry-${number}`
  return kept.length < parts.length ? `\u2026/${path}` : path
}

/** Keeps the end of a long name, where its extension is. */
function shorten(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= MAX_NAME) return name
  const dot = characters.lastIndexOf('.')
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : []
  return characters
    .slice(0, MAX_NAME - extension.length)
    .concat(extension)
    .join('')
}

/** A declared media type without its parameters, in lower case; null when it is not one. */
export function cleanMediaType(given: string | undefined): string | null {
  const type = (given ?? '').slice(0, 200).split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(type) ? type : null
}
