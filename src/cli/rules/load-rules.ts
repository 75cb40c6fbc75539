import { createHash } from 'node:crypto'
import { loadConfig } from '../../config.ts'
import type { Tx } from '../../db/pool.ts'
import { getRules, lockRules, saveRules } from '../../db/rules/jurisdiction-rules.ts'
import { withTransaction } from '../../db/transaction.ts'
import { jsonChanges } from '../../model/data/json-changes.ts'
import { canonicalJson, type Json } from '../../model/json.ts'
import { readRules } from '../../profiles/jurisdiction-rules/read-rules.ts'
import type { RulesContent } from '../../profiles/jurisdiction-rules/schema.ts'
import { loadProfiles } from '../../profiles/load-profiles.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { readJsonFile } from '../registry/fees/read-file.ts'

interface Load {
  readonly rules: RulesContent
  readonly isDryRun: boolean
}

async function loadInto(tx: Tx, { rules, isDryRun }: Load, io: Io): Promise<void> {
  const { jurisdiction, profile } = rules
  await lockRules(tx, rules)
  const before = await getRules(tx, rules)
  // As it comes back from the database: members that stand for nothing are left out.
  const content = JSON.parse(JSON.stringify(rules)) as Json
  for (const change of jsonChanges(before?.content ?? {}, content)) io.out(change)
  const digest = createHash('sha256').update(canonicalJson(content)).digest('hex')
  if (isDryRun) io.out('Nothing was loaded: this was a dry run.')
  else if (digest === before?.digest) io.out('There was nothing to load.')
  else {
    const version = await saveRules(tx, rules, { content, digest, loadedBy: 'command line' })
    io.out(`Rules of ${jurisdiction} for ${profile} are in force as version ${version}, ${digest.slice(0, 8)}.`)
  }
}

/**
 * `docket rules load FILE.json [--dry-run]`: puts the rules of a jurisdiction in force in place of those before, and tells how
 * they differ. Refuses rules that are not sound, naming every fault.
 */
export async function loadRules(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, { 'dry-run': { type: 'boolean', default: false } })
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('Name one file of rules.')
  const config = loadConfig(io.env)
  const rules = readRules(await readJsonFile(path), await loadProfiles(config.profileFolder))
  await checkDeployed(config)
  const load = { rules, isDryRun: values['dry-run'] }
  await withDatabase(config, io.err, pool => withTransaction(pool, tx => loadInto(tx, load, io)))
  return 0
}
