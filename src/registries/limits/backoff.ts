/** Tries of one call, the first one included. */
export const MAX_TRIES = 4

const FIRST_MS = 500

/**
 * How long to wait before the next try, in milliseconds: half a second, doubled each time, a quarter more or less so that
 * callers do not come back all at once; at least what the registry asked for. `tries`: how many there were. `random`: 0–1.
 */
export function backoffMs(tries: number, retryAfterMs: number | undefined, random: number): number {
  const spread = FIRST_MS * 2 ** (tries - 1) * (0.75 + random / 2)
  return Math.max(spread, retryAfterMs ?? 0)
}
