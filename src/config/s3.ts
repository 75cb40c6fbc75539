import { z } from 'zod'

/** Only on this machine unencrypted. */
const ENDPOINT = /^(?:https:\/\/[^\s/?#]+|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)\/?$/

/** Variables of an object store of the S3 kind that checkpoints are copied to. */
export const S3_VARIABLES = {
  DOCKET_S3_ENDPOINT: z
    .string()
    .regex(ENDPOINT, 'is https://HOST without a path')
    .optional()
    .describe('object store of `s3://` in `DOCKET_CHECKPOINTS`: `https://HOST`, buckets in the path'),
  DOCKET_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'is a name of small letters, digits and dashes')
    .default('us-east-1')
    .describe('region that its requests are signed for'),
  DOCKET_S3_ACCESS_KEY: z.string().min(1).optional().describe('its access key'),
  DOCKET_S3_SECRET_KEY: z.string().min(1).optional().describe('the secret of that key'),
  DOCKET_S3_LOCK: z
    .string()
    .regex(/^(?:governance|compliance):[1-9]\d{0,4}$/, 'is governance:DAYS or compliance:DAYS')
    .optional()
    .describe(
      'object lock of what is copied there, and for how many days: `compliance:3650`; the bucket must allow locks'
    )
} as const

export interface S3Config {
  readonly endpoint: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  readonly lock: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE'; readonly days: number } | undefined
}

type Variables = z.infer<z.ZodObject<typeof S3_VARIABLES>>

function lockOf(text: string | undefined): S3Config['lock'] {
  const [mode, days] = text?.split(':') ?? []
  if (mode === undefined) return undefined
  return { mode: mode === 'governance' ? 'GOVERNANCE' : 'COMPLIANCE', days: Number(days) }
}

/** The object store of the variables; undefined when it is not named in full. */
export function toS3Config(env: Variables): S3Config | undefined {
  const { DOCKET_S3_ENDPOINT: endpoint, DOCKET_S3_ACCESS_KEY: accessKey, DOCKET_S3_SECRET_KEY: secretKey } = env
  if (endpoint === undefined || accessKey === undefined || secretKey === undefined) return undefined
  return { endpoint, region: env.DOCKET_S3_REGION, accessKey, secretKey, lock: lockOf(env.DOCKET_S3_LOCK) }
}
