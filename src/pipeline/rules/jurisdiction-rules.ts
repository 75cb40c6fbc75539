import type { Queryable } from '../../db/pool.ts'
import { getRulesByDigest, getRulesDigest, type RulesOwner } from '../../db/rules/jurisdiction-rules.ts'
import { AppError } from '../../errors.ts'
import type { JudgeContext } from '../../profiles/judge/judge.ts'
import { compileRules, type JurisdictionRules } from '../../profiles/jurisdiction-rules/compile.ts'
import { readRules } from '../../profiles/jurisdiction-rules/read-rules.ts'
import type { Profile } from '../../profiles/profile.ts'

/** Rules in force, with the digest that stands for them in manifest versions. */
export interface RulesInForce {
  readonly digest: string
  readonly rules: JurisdictionRules
}

/** What judging is to know of the rules of a jurisdiction. `receivedAt`: an instant, RFC 3339. */
export function rulesContext(
  inForce: RulesInForce | undefined,
  receivedAt: string
): Pick<JudgeContext, 'jurisdictionRules'> {
  return inForce ? { jurisdictionRules: fields => inForce.rules.check(fields, receivedAt) } : {}
}

/** What is asked for: whose rules, and the profile they are for. */
export interface RulesQuery {
  readonly jurisdiction: string
  readonly profile: Profile
}

/** Rules that are kept ready; more jurisdictions than this take turns. */
const MAX_KEPT = 500

/** Content never changes under a digest, so that what was compiled once holds for ever. */
const compiled = new WeakMap<Profile, Map<string, JurisdictionRules>>()

function keptFor(profile: Profile): Map<string, JurisdictionRules> {
  let kept = compiled.get(profile)
  if (kept === undefined) {
    kept = new Map()
    compiled.set(profile, kept)
  }
  if (kept.size >= MAX_KEPT) kept.clear()
  return kept
}

/** The rules with a digest, hex; none when it is null. Throws `RULES_INVALID` for content this version cannot read. */
export async function rulesOf(
  db: Queryable,
  { jurisdiction, profile }: RulesQuery,
  digest: string | null
): Promise<RulesInForce | undefined> {
  if (digest === null) return undefined
  const kept = keptFor(profile)
  const known = kept.get(digest)
  if (known) return { digest, rules: known }
  const owner: RulesOwner = { jurisdiction, profile: profile.name }
  const content = await getRulesByDigest(db, owner, digest)
  if (content === undefined)
    throw new AppError('INTERNAL', 'The rules that a chunk is to be judged under are not there.')
  const rules = compileRules(profile, readRules(content, new Map([[profile.name, profile]])))
  kept.set(digest, rules)
  return { digest, rules }
}

/** The rules that are in force now. */
export async function currentRules(db: Queryable, query: RulesQuery): Promise<RulesInForce | undefined> {
  const { jurisdiction, profile } = query
  const digest = await getRulesDigest(db, { jurisdiction, profile: profile.name })
  return rulesOf(db, query, digest ?? null)
}
