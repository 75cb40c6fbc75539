import { z } from 'zod'

const percent = (fallback: number) => z.coerce.number().int().min(1).max(100).default(fallback)

/** At which filling of the disk admission stops, and at which it goes on. */
export const DISK_VARIABLES = {
  DOCKET_DISK_HIGH: percent(95).describe(
    'percent of the disk of payloads or data in use from which new batches are answered 503; 100 switches it off'
  ),
  DOCKET_DISK_LOW: percent(85).describe('percent of the disk in use below which they are taken again')
} as const

/** Shares of the disk, 0–1. */
export interface DiskConfig {
  readonly high: number
  readonly low: number
}

type DiskEnvironment = z.infer<z.ZodObject<typeof DISK_VARIABLES>>

/** The marks from their variables. */
export const toDiskConfig = (env: DiskEnvironment): DiskConfig => ({
  high: env.DOCKET_DISK_HIGH / 100,
  low: env.DOCKET_DISK_LOW / 100
})

/** What is wrong with the marks together. */
export const diskFaults = (env: DiskEnvironment): string[] =>
  env.DOCKET_DISK_LOW < env.DOCKET_DISK_HIGH
    ? []
    : [`DOCKET_DISK_LOW is ${env.DOCKET_DISK_LOW}, which is not below DOCKET_DISK_HIGH of ${env.DOCKET_DISK_HIGH}`]
