import { createHash } from 'node:crypto'
import type { ReceivedFile, RequestOptions } from './submission.ts'

const digestOf = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest()

/**
 * What an Idempotency-Key stands for: names, sizes and digests of the files and all options. Never the raw body, whose
 * boundary differs at every attempt, and not the order of the parts.
 */
export function requestFingerprint(options: RequestOptions, files: readonly ReceivedFile[]): Buffer {
  const parts = files.map(file => [file.filename, file.size, file.sha256.toString('hex')]).toSorted(byText)
  const { profile, jurisdiction, source, lane, force } = options
  return digestOf(['docket-request-1', profile, jurisdiction, source, lane, force, parts, ...chosen(options)])
}

/** Options that came later stand only where they are given, so that keys made before stay the same. */
const chosen = ({ sheet, encoding, dryRun }: RequestOptions): string[] => [
  ...(sheet === null ? [] : [`sheet ${sheet}`]),
  ...(encoding === null ? [] : [`encoding ${encoding}`]),
  ...(dryRun ? ['dry run'] : [])
]

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/**
 * What makes two submissions the same batch: every option that changes the outcome, the saved mapping of the source among
 * them, and the files in their order.
 */
export function batchDigest(options: RequestOptions, files: readonly ReceivedFile[], mapping?: string): Buffer {
  const { profile, jurisdiction, source } = options
  const digests = files.map(file => file.sha256.toString('hex'))
  const saved = mapping === undefined ? [] : [`mapping ${mapping}`]
  return digestOf(['docket-batch-1', profile, jurisdiction, source, digests, ...chosen(options), ...saved])
}
