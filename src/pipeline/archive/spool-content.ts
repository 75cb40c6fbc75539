import { pipeline } from 'node:stream/promises'
import { SMALL_FILE_BYTES } from '../../media/plan-content.ts'
import type { PayloadStore, Spooled } from '../../storage/payload-store.ts'

export interface SpooledContent {
  readonly spooled: Spooled
  /** Its first bytes. */
  readonly head: Buffer
}

/**
 * Writes a content to the spool while it is unfolded, keeping nothing but its first bytes in memory. When it throws, what
 * the content or the store threw, nothing of it is left.
 */
export async function spoolContent(
  store: PayloadStore,
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal
): Promise<SpooledContent> {
  const spool = store.createSpool({ limitBytes: Number.MAX_SAFE_INTEGER })
  const first: Buffer[] = []
  let kept = 0
  async function* keepHead(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (kept < SMALL_FILE_BYTES) first.push(piece.subarray(0, SMALL_FILE_BYTES - kept))
      kept += piece.length
      yield piece
    }
  }
  await pipeline(keepHead, spool, { signal })
  return { spooled: spool.result(), head: Buffer.concat(first) }
}
