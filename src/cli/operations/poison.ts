import { loadConfig } from '../../config.ts'
import { listPoisonFiles } from '../../db/operations/poison.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'

const OPTIONS = { jurisdiction: { type: 'string' }, json: { type: 'boolean', default: false } } as const

const MOST = 500

/**
 * `docket poison [--jurisdiction J] [--json]`: files that ended the process that read them, took too long or needed too much
 * memory, by ids and digest, without a value. Exit status 1 when there are any.
 */
export async function poison(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const { jurisdiction = null, json } = values
  const files = await withDatabase(config, io.err, pool => listPoisonFiles(pool, jurisdiction, MOST))
  if (json) io.out(JSON.stringify({ files }))
  else if (files.length === 0) io.out('No file has ended its process, hung or grown too large.')
  else {
    const head = ['jurisdiction', 'file', 'sha-256', 'type', 'bytes', 'reasons', 'launches', 'records', 'items', 'last']
    const rows = files.map(file => [
      file.jurisdiction,
      file.fileId,
      file.sha256,
      file.mediaType,
      String(file.size),
      file.codes.join(' '),
      String(file.launches),
      String(file.records),
      file.items.join(' '),
      file.lastAt.toISOString()
    ])
    for (const line of textTable([head, ...rows])) io.out(line)
  }
  return files.length > 0 ? 1 : 0
}
