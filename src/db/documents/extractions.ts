import type { Json } from '../../model/json.ts'
import type { Queryable } from '../pool.ts'

/** What a result of reading a document belongs to. Whatever changes the result changes `extractor`. */
export interface ExtractionKey {
  readonly jurisdiction: string
  readonly sha256: Buffer
  readonly extractor: string
  readonly mediaType: string
}

export interface Extraction {
  readonly resultUri: string | null
  readonly outcome: Json
  readonly launches: number
  readonly finished: boolean
  /** Whether a launch began so short a time ago that it may still be at work. */
  readonly running: boolean
}

const valuesOf = (key: ExtractionKey): unknown[] => [key.jurisdiction, key.sha256, key.extractor, key.mediaType]
const IS_KEY = 'jurisdiction = $1 and sha256 = $2 and extractor = $3 and media_type = $4'

/** What is known of a document; undefined when it was never read. */
export async function readExtraction(
  db: Queryable,
  key: ExtractionKey,
  runningSeconds: number
): Promise<Extraction | undefined> {
  const { rows } = await db.query<Extraction>(
    `select result_uri as "resultUri", outcome, launches, finished_at is not null as finished,
       coalesce(launched_at > now() - make_interval(secs => $5), false) as running
     from extraction where ${IS_KEY}`,
    [...valuesOf(key), runningSeconds]
  )
  return rows[0]
}

/** A launch: which of several beside each other it is, by when it began, and how many there were. */
export interface Launch {
  readonly begun: string | null
  readonly launches: number
}

/**
 * Counts a launch before it begins, and answers how many there were. Those that begin beside another that may still be at
 * work are one launch with it: none has failed yet.
 */
export async function launchExtraction(db: Queryable, key: ExtractionKey, runningSeconds: number): Promise<Launch> {
  const { rows } = await db.query<Launch>(
    `insert into extraction (jurisdiction, sha256, extractor, media_type, launches, launched_at)
     values ($1, $2, $3, $4, 1, now())
     on conflict (jurisdiction, sha256, extractor, media_type) do update set launched_at = now(),
       launches = extraction.launches
         + case when extraction.launched_at > now() - make_interval(secs => $5) then 0 else 1 end
     where extraction.finished_at is null
     returning launched_at::text as begun, launches`,
    [...valuesOf(key), runningSeconds]
  )
  return rows[0] ?? { begun: null, launches: 0 }
}

/** Records the result, once and for all; false when another launch was first. */
export async function finishExtraction(
  db: Queryable,
  key: ExtractionKey,
  result: { readonly uri: string | null; readonly outcome: Json }
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update extraction set result_uri = $5, outcome = $6, finished_at = now(), launched_at = null
     where ${IS_KEY} and finished_at is null`,
    [...valuesOf(key), result.uri, JSON.stringify(result.outcome)]
  )
  return rowCount === 1
}

/** Ends a launch that the document has ended, with how; the launch stays counted. */
export async function failExtraction(db: Queryable, key: ExtractionKey, outcome: Json): Promise<void> {
  await db.query(`update extraction set outcome = $5, launched_at = null where ${IS_KEY} and finished_at is null`, [
    ...valuesOf(key),
    JSON.stringify(outcome)
  ])
}

/**
 * Takes back a launch that ended by no doing of the document: its reader was never started, or somebody else ended it. One
 * beside which a later one began leaves the count to that one, which may still show what the document does.
 */
export async function forgiveExtraction(db: Queryable, key: ExtractionKey, launch: Launch): Promise<void> {
  await db.query(
    `update extraction set launches = greatest(launches - 1, 0), launched_at = null
     where ${IS_KEY} and finished_at is null and launched_at = $5::timestamptz`,
    [...valuesOf(key), launch.begun]
  )
}

/** Forgets a result whose object is gone or damaged, so that it is made again; false when that was done meanwhile. */
export async function reopenExtraction(db: Queryable, key: ExtractionKey, uri: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update extraction set result_uri = null, outcome = null, finished_at = null, launches = 0, launched_at = null
     where ${IS_KEY} and result_uri = $5`,
    [...valuesOf(key), uri]
  )
  return rowCount === 1
}

/** Which of these addresses hold the result of reading a document. */
export async function selectResultUris(
  db: Queryable,
  jurisdiction: string,
  uris: readonly string[]
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ uri: string }>(
    'select result_uri as uri from extraction where jurisdiction = $1 and result_uri = any($2::text[])',
    [jurisdiction, uris]
  )
  return new Set(rows.map(row => row.uri))
}

/** Deletes up to `limit` results of the condition, which may use $1 (`days`) and its own values from $3 on, once so old. */
async function deleteExtractions(
  db: Queryable,
  condition: string,
  values: readonly unknown[],
  { days, limit }: { readonly days: number; readonly limit: number }
): Promise<(string | null)[]> {
  const { rows } = await db.query<{ uri: string | null }>(
    `delete from extraction where (jurisdiction, sha256, extractor, media_type) in (
       select jurisdiction, sha256, extractor, media_type from extraction
       where ${condition} and coalesce(launched_at, finished_at, created_at) < now() - make_interval(days => $1)
       limit $2 for update skip locked)
     returning result_uri as uri`,
    [days, limit, ...values]
  )
  return rows.map(row => row.uri)
}

/**
 * Deletes up to `limit` results that other extractors than the present ones made so many days ago, except those whose
 * extractor has this prefix; answers the addresses of their objects, null for those without one.
 */
export const deleteOtherExtractions = (
  db: Queryable,
  keep: { readonly extractors: readonly string[]; readonly prefix: string },
  days: number,
  limit: number
): Promise<(string | null)[]> =>
  deleteExtractions(
    db,
    'extractor <> all ($3::text[]) and not starts_with(extractor, $4)',
    [keep.extractors, keep.prefix],
    {
      days,
      limit
    }
  )

/**
 * Deletes up to `limit` results whose extractor has this prefix and that are older than so many days; answers the
 * addresses of their objects, null for those without one.
 */
export const deleteOldExtractions = (
  db: Queryable,
  prefix: string,
  days: number,
  limit: number
): Promise<(string | null)[]> =>
  deleteExtractions(db, 'starts_with(extractor, $3) and created_at < now() - make_interval(days => $1)', [prefix], {
    days,
    limit
  })
