import { z } from 'zod'

/** Variables of what workers ask registries elsewhere ahead of the work. */
export const WARM_VARIABLES = {
  DOCKET_WARM_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400)
    .default(300)
    .describe(
      'seconds between two runs in which registries elsewhere are asked ahead for pending work; 0 switches it off'
    ),
  DOCKET_WARM_CHUNKS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .describe('most chunks of a jurisdiction that one such run goes through')
} as const

export interface WarmConfig {
  /** Milliseconds between two runs; 0: none. */
  readonly everyMs: number
  readonly chunks: number
}

/** The settings of asking ahead from its variables. */
export const toWarmConfig = (env: z.infer<z.ZodObject<typeof WARM_VARIABLES>>): WarmConfig => ({
  everyMs: env.DOCKET_WARM_SECONDS * 1000,
  chunks: env.DOCKET_WARM_CHUNKS
})
