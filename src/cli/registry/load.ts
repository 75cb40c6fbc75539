import { z } from 'zod'
import { loadConfig } from '../../config.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import {
  applyLoad,
  beginLoad,
  diffLoad,
  findRepeatedKeys,
  type LoadedKind,
  type LoadScope,
  lastLoadDay,
  type ReferenceDiff,
  stageRows
} from '../../db/registries/load-table.ts'
import { withTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'
import { type ReferenceFile, readReference } from './read-reference.ts'
import { readMapping } from './reference-columns.ts'

const OPTIONS = {
  jurisdiction: { type: 'string' },
  day: { type: 'string' },
  map: { type: 'string', multiple: true },
  partial: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false }
} as const

const KINDS: readonly LoadedKind[] = ['parcel', 'zoning', 'property']
const JURISDICTION = /^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/

interface Work {
  readonly scope: LoadScope
  readonly file: ReferenceFile
  readonly dryRun: boolean
}

/** A day of the calendar; throws `UsageError` for anything else. */
function readDay(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new UsageError('--day takes a day as YYYY-MM-DD.')
  return text
}

function workOf(args: readonly string[], today: string): Work {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [kindText, path, ...more] = positionals
  const kind = KINDS.find(each => each === kindText)
  if (kind === undefined || path === undefined || more.length > 0) {
    throw new UsageError(`Say what to load (${KINDS.join(', ')}) and the file.`)
  }
  const { jurisdiction, partial } = values
  if (jurisdiction === undefined || !JURISDICTION.test(jurisdiction)) {
    throw new UsageError('--jurisdiction takes a code of 2, 5 or 7 digits, or a name of small letters.')
  }
  const scope = { kind, jurisdiction, day: values.day === undefined ? today : readDay(values.day), partial }
  return { scope, file: { kind, path, mapping: readMapping(kind, values.map ?? []) }, dryRun: values['dry-run'] }
}

async function stage(tx: Tx, { scope, file }: Work): Promise<void> {
  const last = await lastLoadDay(tx, scope)
  if (last !== null && last > scope.day) {
    throw new AppError(
      'REFERENCE_INVALID',
      `Entries of ${scope.jurisdiction} are known up to ${last}: give --day ${last} or later. Nothing was loaded.`
    )
  }
  for await (const rows of readReference(file)) await stageRows(tx, scope, rows)
  const { keys, lines } = await findRepeatedKeys(tx)
  if (keys === 0) return
  const told = lines.map(each => `lines ${each.slice(0, 10).join(', ')}`).join('\n  ')
  throw new AppError('REFERENCE_INVALID', `Nothing was loaded: ${keys} keys stand on more than one line.\n  ${told}`)
}

class DryRun extends Error {}

/** Stages, compares and applies in one transaction, which a dry run takes back. */
async function run(pool: Pool, work: Work): Promise<ReferenceDiff> {
  let diff: ReferenceDiff | undefined
  try {
    await withTransaction(pool, async tx => {
      await beginLoad(tx, work.scope)
      await stage(tx, work)
      diff = await diffLoad(tx, work.scope)
      await applyLoad(tx, work.scope)
      if (work.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!work.dryRun || diff === undefined || !isDryRun(error)) throw error
  }
  if (diff === undefined) throw new AppError('INTERNAL', 'A load ended without a comparison.')
  return diff
}

const isDryRun = (error: unknown): boolean => error instanceof AppError && error.cause instanceof DryRun

/**
 * `docket registry load KIND FILE --jurisdiction J [--day YYYY-MM-DD] [--map COLUMN=NAME] [--partial] [--dry-run]`: makes a
 * file of parcels, zoning or properties what is known from that day on, and tells what it changes. All of it or nothing.
 */
export async function loadReference(args: readonly string[], io: Io): Promise<number> {
  const work = workOf(args, new Date().toISOString().slice(0, 10))
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const diff = await withDatabase(config, io.err, pool => run(pool, work))
  const example = (keys: readonly string[]): string => keys.join(' ')
  const rows = [
    ['new', diff.new, example(diff.examples.new)],
    ['changed', diff.changed, example(diff.examples.changed)],
    ['ended', diff.ended, example(diff.examples.ended)],
    ['unchanged', diff.unchanged, '']
  ]
  for (const line of textTable([['change', 'entries', 'for example'], ...rows])) io.out(line)
  io.out(work.dryRun ? 'Nothing was written: this was a dry run.' : `Loaded, in force from ${work.scope.day}.`)
  return 0
}
