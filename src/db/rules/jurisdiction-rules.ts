import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'

export interface RulesOwner {
  readonly jurisdiction: string
  readonly profile: string
}

/** Rules of a jurisdiction as stored. */
export interface RulesRow {
  readonly version: number
  readonly content: Json
  /** Hex SHA-256 of the content's canonical JSON. */
  readonly digest: string
}

const COLUMNS = `version, content, encode(digest, 'hex') as digest`

/** The rules in force; undefined when none were ever loaded. */
export async function getRules(db: Queryable, { jurisdiction, profile }: RulesOwner): Promise<RulesRow | undefined> {
  const { rows } = await db.query<RulesRow>(
    `select ${COLUMNS} from jurisdiction_rules
     where jurisdiction = $1 and profile = $2 order by version desc limit 1`,
    [jurisdiction, profile]
  )
  return rows[0]
}

/** The digest of the rules in force, hex; undefined when there are none. */
export async function getRulesDigest(
  db: Queryable,
  { jurisdiction, profile }: RulesOwner
): Promise<string | undefined> {
  const { rows } = await db.query<{ digest: string }>(
    `select encode(digest, 'hex') as digest from jurisdiction_rules
     where jurisdiction = $1 and profile = $2 order by version desc limit 1`,
    [jurisdiction, profile]
  )
  return rows[0]?.digest
}

/** The content of the rules with a digest, hex; undefined when there were never such. */
export async function getRulesByDigest(
  db: Queryable,
  { jurisdiction, profile }: RulesOwner,
  digest: string
): Promise<Json | undefined> {
  const { rows } = await db.query<{ content: Json }>(
    `select content from jurisdiction_rules
     where jurisdiction = $1 and profile = $2 and digest = decode($3, 'hex') limit 1`,
    [jurisdiction, profile, digest]
  )
  return rows[0]?.content
}

/** Lets one load of a jurisdiction's rules go on at a time, until the transaction ends. */
export async function lockRules(tx: Tx, { jurisdiction, profile }: RulesOwner): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 41))`, [JSON.stringify([jurisdiction, profile])])
}

/** Puts rules in force as the next version; answers its number. Under `lockRules`. */
export async function saveRules(
  tx: Tx,
  { jurisdiction, profile }: RulesOwner,
  rules: { readonly content: Json; readonly digest: string; readonly loadedBy: string }
): Promise<number> {
  const { rows } = await tx.query<{ version: number }>(
    `insert into jurisdiction_rules (jurisdiction, profile, version, content, digest, loaded_by)
     select $1, $2, coalesce(max(version), 0) + 1, $3, decode($4, 'hex'), $5
     from jurisdiction_rules where jurisdiction = $1 and profile = $2
     returning version`,
    [jurisdiction, profile, JSON.stringify(rules.content), rules.digest, rules.loadedBy]
  )
  return rows[0]?.version ?? 0
}
