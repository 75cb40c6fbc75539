/** Longest that a registry is left alone because it says so; the breaker decides beyond that. */
const MOST_MS = 600_000

const capped = (ms: number): number => Math.min(Math.max(ms, 0), MOST_MS)

/**
 * A `Retry-After` header (RFC 9110 §10.2.3) in milliseconds from `now` (milliseconds of the epoch), at most ten minutes;
 * undefined when there is none that can be read.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim().slice(0, 64)
  if (!text) return undefined
  if (/^\d+$/.test(text)) return capped(Number(text) * 1000)
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : capped(at - now)
}

/** Seconds told in a sentence, as overloaded servers do: "try again in 60 sec". In milliseconds. */
export function readRetrySentence(text: string): number | undefined {
  const found = /\bin (\d{1,6}) ?sec/i.exec(text.slice(0, 500))
  return found ? capped(Number(found[1]) * 1000) : undefined
}
