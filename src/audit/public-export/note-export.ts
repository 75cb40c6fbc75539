import { insertExport } from '../../db/log/exports.ts'
import { setPublicExport } from '../../db/log/public-exports.ts'
import type { Pool } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { NewId } from '../../model/ids.ts'
import type { Json } from '../../model/json.ts'
import { appendEntries } from '../append-entries.ts'

type Detail = { readonly [name: string]: Json }

export interface PublicExport {
  readonly jurisdiction: string
  readonly id: string
  readonly actor: string
  /** Hash of the entry that tells of its beginning. */
  readonly hash: Buffer
  readonly about: Detail
}

const scopeOf = ({ jurisdiction, id, actor }: Omit<PublicExport, 'hash' | 'about'>, commitId: string) => ({
  jurisdiction,
  batchId: id,
  manifestVersion: 'public-export@1',
  actor,
  commitId
})

/** Writes who takes an export, and of what, before its first byte leaves. */
export async function beginPublicExport(
  deps: { readonly pool: Pool; readonly newId: NewId },
  { jurisdiction, actor, about }: Pick<PublicExport, 'jurisdiction' | 'actor' | 'about'>
): Promise<PublicExport> {
  const id = deps.newId()
  return withTransaction(deps.pool, async tx => {
    const hashes = await appendEntries(tx, scopeOf({ jurisdiction, id, actor }, deps.newId()), [
      { subjectId: id, kind: 'export', seq: 1, previous: null, detail: about, transitions: [['downloaded', 0]] }
    ])
    const hash = hashes.get(id) ?? Buffer.alloc(0)
    await insertExport(tx, { jurisdiction, id, actor, hash })
    await setPublicExport(tx, jurisdiction, id, { detail: about, seq: 1, hash })
    return { jurisdiction, id, actor, about, hash }
  })
}

/** Writes what was released, before the line that makes an export whole leaves. */
export async function endPublicExport(
  deps: { readonly pool: Pool; readonly newId: NewId },
  begun: PublicExport,
  released: Detail
): Promise<void> {
  const { jurisdiction, id, hash: previous } = begun
  await withTransaction(deps.pool, async tx => {
    const hashes = await appendEntries(tx, scopeOf(begun, deps.newId()), [
      { subjectId: id, kind: 'export', seq: 2, previous, detail: released, transitions: [['completed', 0]] }
    ])
    const detail = { ...begun.about, ...released }
    await setPublicExport(tx, jurisdiction, id, { detail, seq: 2, hash: hashes.get(id) ?? previous })
  })
}
