import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crashPoint } from '../../crash-points.ts'
import type { Pool } from '../../db/pool.ts'
import { endPayloadChange, listPayloadChanges, type PayloadChange } from '../../db/retention/payload-changes.ts'
import { AppError } from '../../errors.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { patched } from './patch-rows.ts'

const PAGE = 200

export interface CarryOutDeps {
  readonly pool: Pool
  readonly store: PayloadStore
}

async function overwrite(store: PayloadStore, uri: string, patches: PayloadChange['patches']): Promise<void> {
  const size = await store.size(uri)
  const spool = store.createSpool({ limitBytes: size })
  await pipeline(Readable.from(patched(await store.open(uri), patches ?? [])), spool)
  await store.replace(spool.result(), uri)
}

/** Does what a committed transaction said of an object. Doing it again changes nothing. */
async function carryOut({ pool, store }: CarryOutDeps, change: PayloadChange): Promise<void> {
  const { uri, patches } = change
  if (patches === null) {
    await store.remove(uri)
    crashPoint('payload.removed')
  } else {
    await overwrite(store, uri, patches).catch((error: unknown) => {
      // Removed meanwhile, by a later erasure of the rest.
      if (!(error instanceof AppError) || error.code !== 'PAYLOAD_MISSING') throw error
    })
    crashPoint('payload.overwritten')
  }
  await endPayloadChange(pool, change)
  crashPoint('payload.change-ended')
}

/** Carries out what is still to be done to objects, of one file or of all; answers how many. Safe beside other processes. */
export async function carryOutChanges(
  deps: CarryOutDeps,
  of: { readonly jurisdiction: string; readonly fileId: string } | null = null
): Promise<number> {
  let done = 0
  for (;;) {
    const changes = await listPayloadChanges(deps.pool, PAGE, of)
    for (const change of changes) await carryOut(deps, change)
    done += changes.length
    if (changes.length < PAGE) return done
  }
}
