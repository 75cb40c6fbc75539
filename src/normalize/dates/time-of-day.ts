const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(?:z|[a-z]{2,5}|(?:gmt|utc)?[+-]\d{2}(?::?\d{2})?))?(?: ?\([^()]{1,60}\)|\[[^[\]]{1,60}\])?$/i
/** A day of XML Schema with its zone. */
const ZONED_DAY = /^(\d{4}-\d{2}-\d{2})(?:z|[+-](?:0\d|1[0-4]):[0-5]\d)$/i

const LONGEST_ZONED_DAY = 16

/** Date text and the time written behind it; `time` is null without one, and `isValid` false for an impossible one. */
export interface SplitTime {
  readonly date: string
  readonly time: string | null
  readonly isValid: boolean
}

/** Cuts a time of day (with or without a zone) off the end of a date. The date stays as written: zones never shift it. */
export function splitTime(text: string): SplitTime {
  const day = text.length <= LONGEST_ZONED_DAY ? ZONED_DAY.exec(text)?.[1] : undefined
  if (day !== undefined) return { date: day, time: null, isValid: true }
  const colon = text.indexOf(':')
  if (colon < 0) return { date: text, time: null, isValid: true }
  let start = colon
  while (start > 0 && colon - start < 2 && isDigit(text.charCodeAt(start - 1))) start -= 1
  const before = text[start - 1]
  if (start === colon || (before !== 'T' && before !== ' ' && before !== 't'))
    return { date: text, time: null, isValid: true }
  const date = text
    .slice(0, start - 1)
    .replace(/(?:,| at|, at)$/, '')
    .trimEnd()
  const time = readTimeOfDay(text.slice(start))
  return { date, time, isValid: time !== null }
}

/** `HH:MM` of a written time (`12:01 A.M.` → `00:01`, `noon`, `midnight`), or null. */
export function readTimeOfDay(text: string): string | null {
  if (/^(?:12(?::00)? )?noon\b/i.test(text)) return '12:00'
  if (/^(?:12(?::00)? )?midnight\b/i.test(text)) return '00:00'
  const parts = TIME.exec(text)
  if (!parts) return null
  const half = parts[4]?.toLowerCase()
  const written = Number(parts[1])
  if (written > (half ? 12 : 23) || Number(parts[2]) > 59 || Number(parts[3] ?? '0') > 60) return null
  const hour = half ? (written % 12) + (half === 'p' ? 12 : 0) : written
  return `${String(hour).padStart(2, '0')}:${parts[2]}`
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
