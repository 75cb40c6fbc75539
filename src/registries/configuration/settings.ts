import { z } from 'zod'
import { ArcgisSettings } from '../http/arcgis/settings.ts'
import { JsonSettings } from '../http/json/settings.ts'
import { SocrataSettings } from '../http/socrata/settings.ts'
import { REGISTRY_KINDS } from '../registry.ts'

/** Reference data that was loaded into our own tables. */
const TableSettings = z.strictObject({ adapter: z.literal('table') })

const seconds = (fallback: number) => z.number().int().min(0).max(31_536_000).default(fallback)

/** The name of a file in the jurisdiction's folder of secrets. */
const SecretName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'is the name of a file, without a folder')

const DAY = 86_400

/** One registry as an operator configures it; the secret itself never stands here. */
export const SourceSettings = z.strictObject({
  /** What is asked, and how. */
  source: z.discriminatedUnion('adapter', [TableSettings, ArcgisSettings, SocrataSettings, JsonSettings]),
  secret: SecretName.optional(),
  /** How long an answer is used without asking again. */
  ttlSeconds: seconds(DAY),
  /** The same for an answer that there is nothing. */
  negativeTtlSeconds: seconds(3600),
  /** How long after that a match is still used while it is asked for anew beside the work. */
  staleSeconds: seconds(DAY),
  /** Entries that the registry says are older are not relied on. */
  maxAgeDays: z.number().int().min(1).max(36_500).optional(),
  /** Calls in flight at once to the registry's host, of each thread of a worker. */
  concurrency: z.number().int().min(1).max(32).default(2)
})
export type SourceSettings = z.infer<typeof SourceSettings>

/** A file of `docket registry configure`: null ends what a kind had; a kind that is not named stays as it is. */
export const ConfigurationFile = z.strictObject({
  jurisdiction: z
    .string()
    .regex(/^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/, 'is a code of 2, 5 or 7 digits, or a name of small letters'),
  registries: z.partialRecord(z.enum(REGISTRY_KINDS), SourceSettings.nullable())
})
export type ConfigurationFile = z.infer<typeof ConfigurationFile>

/** What is wrong with settings, one line a fault: where and what, never the value. */
export const faultsOf = (error: z.ZodError): string[] =>
  error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
