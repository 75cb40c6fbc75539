import type { Pool } from '../pool.ts'

/** Files per statement and payloads looked up at once. */
export const PAYLOAD_PAGE = 500

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A file as far as its payload goes. */
export interface StoredFile {
  readonly id: string
  readonly size: number
  readonly sha256: Buffer
  readonly payloadUri: string
  /** What was unpacked from the payload and is read in its place. */
  readonly unpacked: { readonly uri: string; readonly size: number; readonly sha256: string } | null
}

/** A page of a jurisdiction's files in id order after `after`; its payloads are looked at between statements. */
export async function listFilePayloads(pool: Pool, jurisdiction: string, after: string): Promise<StoredFile[]> {
  const { rows } = await pool.query<StoredFile>(
    `select id, size, coalesce(payload_sha256, sha256) as sha256, payload_uri as "payloadUri",
       coalesce(format -> 'unpacked', progress -> 'unpacked') as unpacked from file
     where jurisdiction = $1 and id > $2 and payload_removed_at is null order by id limit $3`,
    [jurisdiction, after, PAYLOAD_PAGE]
  )
  return rows
}

/** Which of these addresses some file or a result of reading one has, by the keys they are stored under, which begin with `<jurisdiction>/<file id>`. */
export async function findOwnedPayloads(
  pool: Pool,
  payloads: readonly { readonly uri: string; readonly key: string }[]
): Promise<ReadonlySet<string>> {
  const owners = payloads
    .map(({ uri, key }) => [key.split('/', 1)[0], key.split('/', 2)[1]?.split('.', 1)[0], uri])
    .filter(([, id]) => UUID.test(id ?? ''))
  const { rows } = await pool.query<{ uri: string }>(
    `select p ->> 2 as uri from jsonb_array_elements($1::jsonb) p
     join file f on f.jurisdiction = p ->> 0 and f.id = (p ->> 1)::uuid and f.payload_removed_at is null and p ->> 2 in
       (f.payload_uri, coalesce(f.format -> 'unpacked', f.progress -> 'unpacked') ->> 'uri')
     union all
     select p ->> 2 from jsonb_array_elements($1::jsonb) p
     join extraction x on x.jurisdiction = p ->> 0 and x.result_uri = p ->> 2`,
    [JSON.stringify(owners)]
  )
  return new Set(rows.map(row => row.uri))
}

/** The database's own time a day ago, as the age from which a payload without a file is an orphan. */
export async function readDayAgo(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ at: Date }>(`select now() - interval '1 day' as at`)
  return rows[0]?.at ?? new Date(0)
}

/** The result of reading a document, as far as its object goes. */
export interface StoredResult {
  readonly uri: string
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

/** A page of a jurisdiction's results in the order of their addresses after `after`. */
export async function listResultObjects(pool: Pool, jurisdiction: string, after: string): Promise<StoredResult[]> {
  const { rows } = await pool.query<StoredResult>(
    `select result_uri as uri, (outcome ->> 'bytes')::bigint as size, outcome ->> 'sha256' as sha256 from extraction
     where jurisdiction = $1 and result_uri is not null and result_uri > $2 order by result_uri limit $3`,
    [jurisdiction, after, PAYLOAD_PAGE]
  )
  return rows
}
