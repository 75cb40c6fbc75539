import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { listHeldFiles } from '../../../src/db/review/held-rows.ts'
import { errorsFile } from '../../../src/pipeline/corrections/outgoing/errors-file.ts'
import { sweepCorrections } from '../../../src/pipeline/corrections/settle-corrections.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import type { TestFile, TestPipeline } from '../../helpers/pipeline.ts'

/** The errors file of a batch, whole. */
export async function errorsOf(p: TestPipeline, batchId: string, profile = 'permit'): Promise<Buffer> {
  const files = await listHeldFiles(p.pool, JURISDICTION, batchId)
  const definition = p.deps.profiles.get(profile)
  if (!definition) throw new Error('no such profile')
  return buffer(Readable.from(errorsFile(p.deps, { jurisdiction: JURISDICTION, batchId, profile: definition, files })))
}

/** Sends files and works them to their end; answers the batch. */
export async function send(p: TestPipeline, ...files: TestFile[]): Promise<string> {
  const { id } = await p.submit(files)
  await p.finished(id)
  // Whoever closes the batch may be ahead of the worker that is about to settle what its rows name.
  await sweepCorrections(p.deps)
  return id
}

export interface StoredFate {
  readonly id: string
  readonly state: string
  readonly codes: string[]
  readonly duplicate_of: string | null
  readonly replaced_by: string | null
}

/** What stands about the records of a batch, in their order. */
export async function fates(p: TestPipeline, batchId: string): Promise<StoredFate[]> {
  const { rows } = await p.pool.query<StoredFate>(
    `select id, state, duplicate_of, replaced_by, array(select x ->> 'code' from jsonb_array_elements(reasons) x) as codes
     from record where batch_id = $1 order by file_number, item`,
    [batchId]
  )
  return rows
}
