import { leaseBatches } from './documents/lease-files.ts'
import { policyBatches } from './documents/policy-files.ts'
import { permitBatches } from './permits/batches.ts'
import { randomOf } from './random.ts'

/** The seed of the committed files. */
export const SEED = 20_250_115

/**
 * Every file below `samples/` but this generator, by its path, the manifest among them. The same seed
 * gives the same bytes.
 */
export async function buildSamples(seed: number): Promise<ReadonlyMap<string, Buffer>> {
  const batches = [...permitBatches(randomOf(seed)), ...(await policyBatches()), ...(await leaseBatches())]
  const files = batches.flatMap(made => made.files.map(file => [file.path, file.content] as const))
  const manifest = { seed, batches: batches.map(({ batch }) => batch) }
  return new Map([...files, ['manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]])
}
