import type { Pool } from '../db/pool.ts'
import type { NewId } from '../model/ids.ts'
import type { EnrichDeps } from '../pipeline/enrich/enrich-drafts.ts'
import type { Profile } from '../profiles/profile.ts'
import type { Boss } from '../queue/boss.ts'

/** What decisions about held records work with. */
export interface ReviewDeps {
  readonly pool: Pool
  readonly boss: Boss
  readonly newId: NewId
  readonly profiles: ReadonlyMap<string, Profile>
  readonly today: () => string
}

/** What judging a record again with corrections works with besides: its registries are asked again. */
export type DecideDeps = ReviewDeps & EnrichDeps

/** A record somebody decides about, at the revision they have seen. */
export interface RecordTarget {
  readonly jurisdiction: string
  readonly recordId: string
  readonly revision: number
  /** `key:<id>`. */
  readonly actor: string
}

/** Field name → its text as a clerk entered it; null says that nothing stands there. */
export type Corrections = Readonly<Record<string, string | null>>
