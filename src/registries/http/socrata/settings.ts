import { z } from 'zod'
import { Address, mappingShape, Network } from '../mapping/rules.ts'

/** A field name as the API gives it, or a system field such as `:updated_at`. */
const Column = z.string().regex(/^:?[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'is the name of a column')

/** What a data set behind Socrata's SODA needs besides what all registries have. */
export const SocrataSettings = z.strictObject({
  adapter: z.literal('socrata'),
  /** The site, such as `https://data.example.gov`. */
  url: Address,
  dataset: z.string().regex(/^[a-z0-9]{4}-[a-z0-9]{4}$/, 'is the identifier of a data set, such as ab12-cd34'),
  /** `2.1` asks by address, `3` in a POST body (which needs an application token). */
  version: z.enum(['2.1', '3']).default('2.1'),
  ...mappingShape(Column),
  /** A condition that every row must meet, in SoQL; `{asOf}` becomes the day asked about. */
  where: z.string().min(1).max(1000).optional(),
  keysPerCall: z.number().int().min(1).max(1000).default(500),
  /** Most bytes of one address (2.1) or query (3); keys that need more are asked in several requests. */
  requestBytes: z.number().int().min(500).max(1_000_000).optional(),
  /** Rows asked for at once. Sites that cap them lower than this would cut replies without a word: 1000 is every site's least. */
  rows: z.number().int().min(1).max(50_000).default(1000),
  /** How the secret is used: as application token, or as `name:password`. */
  auth: z.enum(['appToken', 'basic']).optional(),
  network: Network
})

export type SocrataSettings = z.infer<typeof SocrataSettings>
