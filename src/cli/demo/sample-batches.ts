import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const FOLDER = join(import.meta.dirname, '../../../samples')

const Expected = z.object({
  total: z.number(),
  accepted: z.number(),
  duplicate: z.number(),
  quarantined: z.number(),
  rejected: z.number(),
  /** Documents that a cautious reading may hold although they are sound. */
  may_be_held: z.number().default(0)
})
export type Expected = z.infer<typeof Expected>

const Manifest = z.object({
  batches: z.array(
    z.object({
      name: z.string(),
      about: z.string().optional(),
      profile: z.string(),
      jurisdiction: z.string(),
      source: z.string().optional(),
      after: z.string().optional(),
      files: z.array(z.string()).min(1),
      expect: Expected
    })
  )
})
export type SampleBatch = z.infer<typeof Manifest>['batches'][number]

/** The batches of `samples/`, their files as absolute paths. */
export async function readSampleBatches(): Promise<SampleBatch[]> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(FOLDER, 'manifest.json'), 'utf8')))
  return manifest.batches.map(batch => ({ ...batch, files: batch.files.map(file => join(FOLDER, file)) }))
}
