import type { PayloadStore } from '../../storage/payload-store.ts'

const PAGE = 500

/**
 * Removes results and their objects in pages until a page is not full. `forget` deletes up to so many rows and answers
 * where their objects lie. Answers how many.
 */
export async function removeResults(
  store: Pick<PayloadStore, 'remove'>,
  forget: (limit: number) => Promise<readonly (string | null)[]>
): Promise<number> {
  let removed = 0
  for (;;) {
    // Without its row nobody knows an object any more: what a crash leaves here is swept with other orphans.
    const uris = await forget(PAGE)
    for (const uri of uris) if (uri !== null) await store.remove(uri)
    removed += uris.length
    if (uris.length < PAGE) return removed
  }
}
