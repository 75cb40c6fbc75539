import type { Tx } from '../pool.ts'

/**
 * Locks committed chunks in the order of their ids, so that two who change the same ones never wait for each other in a
 * circle. To be called before their records change: with other reasons, a record's chunk changes too.
 */
export async function lockChunks(tx: Tx, jurisdiction: string, chunkIds: readonly string[]): Promise<void> {
  await tx.query('select 1 from chunk where jurisdiction = $1 and id = any($2::uuid[]) order by id for update', [
    jurisdiction,
    [...new Set(chunkIds)]
  ])
}

/**
 * Moves records from one count of their chunks, which the caller has locked, to another. Totals that were summed up before
 * learn of it.
 */
export async function moveCounts(
  tx: Tx,
  jurisdiction: string,
  moves: readonly {
    readonly chunkId: string
    readonly accepted: number
    readonly duplicate: number
    readonly rejected: number
  }[]
): Promise<void> {
  await tx.query(
    `with moved as (
       update chunk c set accepted = c.accepted + m.accepted, duplicate = c.duplicate + m.duplicate,
         rejected = c.rejected + m.rejected, quarantined = c.quarantined - m.accepted - m.duplicate - m.rejected
       from (
         select chunk_id, sum(accepted)::int as accepted, sum(duplicate)::int as duplicate, sum(rejected)::int as rejected
         from jsonb_to_recordset($2::jsonb) as x(chunk_id uuid, accepted int, duplicate int, rejected int) group by chunk_id
       ) m
       where c.jurisdiction = $1 and c.id = m.chunk_id
       returning c.committed_at, m.accepted, m.duplicate, m.rejected
     )
     insert into outcome_move (chunk_committed_at, accepted, duplicate, rejected) select * from moved`,
    [
      jurisdiction,
      JSON.stringify(
        moves.map(({ chunkId, accepted, duplicate, rejected }) => ({
          chunk_id: chunkId,
          accepted,
          duplicate,
          rejected
        }))
      )
    ]
  )
}
