import { resolve } from 'node:path'
import { z } from 'zod'
import { S3_VARIABLES, type S3Config, toS3Config } from './s3.ts'

/** Where checkpoints go: a folder, an address of HTTP, unencrypted only on this machine, or a bucket. */
const DESTINATION =
  /^(?:file:.+|https:\/\/\S+|http:\/\/(?:127\.0\.0\.1|localhost)[:/]\S*|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]*)?)$/

const destinations = (text: string): string[] =>
  text
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '')

/** Variables of the audit log, its signatures and its copies outside. */
export const LOG_VARIABLES = {
  DOCKET_LOG_ORIGIN: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9./:_-]{0,199}$/, 'is up to 200 letters, digits, dots, dashes, slashes and colons')
    .default('docket')
    .describe('what checkpoints of the audit log are signed as, followed by `/` and the jurisdiction'),
  DOCKET_SIGNING_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Ed25519 keys that sign checkpoints, as PKCS8 PEM or the paths of such files with commas between them; all sign. By default one made in `DOCKET_DATA`'
    ),
  DOCKET_LOG_KEYS: z
    .string()
    .min(1)
    .optional()
    .describe('file of public keys that signed checkpoints once and no longer do'),
  DOCKET_CHECKPOINTS: z
    .string()
    .refine(text => destinations(text).every(one => DESTINATION.test(one)), {
      message: 'is a list of file:FOLDER, https://ADDRESS and s3://BUCKET/PREFIX with commas between them'
    })
    .default('')
    .describe(
      'where checkpoints are copied to, with commas between: `file:FOLDER`, `https://ADDRESS` by PUT, `s3://BUCKET/PREFIX`'
    ),
  ...S3_VARIABLES
} as const

export interface LogConfig {
  readonly origin: string
  readonly signingKey: string | undefined
  readonly keysFile: string | undefined
  /** `file:/absolute/folder` or an address. */
  readonly destinations: readonly string[]
  /** The object store of `s3:` among them. */
  readonly s3: S3Config | undefined
}

/** The settings of the audit log from its variables. */
export function toLogConfig(env: z.infer<z.ZodObject<typeof LOG_VARIABLES>>): LogConfig {
  return {
    origin: env.DOCKET_LOG_ORIGIN.replace(/\/$/, ''),
    signingKey: env.DOCKET_SIGNING_KEY,
    keysFile: env.DOCKET_LOG_KEYS ? resolve(env.DOCKET_LOG_KEYS) : undefined,
    destinations: destinations(env.DOCKET_CHECKPOINTS).map(one =>
      one.startsWith('file:') ? `file:${resolve(one.replace(/^file:(?:\/\/)?/, ''))}` : one
    ),
    s3: toS3Config(env)
  }
}

/** What is wrong between the settings of the log. */
export function logFaults(env: z.infer<z.ZodObject<typeof LOG_VARIABLES>>): string[] {
  const isAsked = destinations(env.DOCKET_CHECKPOINTS).some(one => one.startsWith('s3:'))
  if (!isAsked || toS3Config(env) !== undefined) return []
  return ['DOCKET_CHECKPOINTS names s3://: set DOCKET_S3_ENDPOINT, DOCKET_S3_ACCESS_KEY and DOCKET_S3_SECRET_KEY']
}
