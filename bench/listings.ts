/**
 * `node bench/listings.ts [records]`: how long batch status and pages of records take beside how many records there are.
 * Tables are filled in the database, so that ten million records take minutes; a real API answers.
 */
import { createPool, type Pool } from '../src/db/pool.ts'
import { newId } from '../src/model/ids.ts'
import { type Deployment, percentile, startDeployment } from './deployment.ts'

const JURISDICTION = '53033'
const CHUNK = 500
/** Filled by one statement, well within the time that one may take. */
const SLICE = 200_000
const REQUESTS = 300
const SMALL_BATCHES = 10_000
const FEW = 10_000

const REASONS = {
  warn: '[{"code": "UNMAPPED_ENUM", "severity": "warn", "failure_class": "permanent", "field": "status", "message": "Check it.", "origin": null}]',
  held: '[{"code": "INVALID_DATE", "severity": "block", "failure_class": "permanent", "field": "issued_date", "message": "Correct it.", "origin": null}]',
  rejected:
    '[{"code": "CANCELLED_BY_CLERK", "severity": "fatal", "failure_class": "permanent", "field": null, "message": "Rejected.", "origin": null}]'
}

/** A batch of one split file, still without chunks. */
async function addBatch(pool: Pool, id: string, state: string): Promise<void> {
  await pool.query(`insert into jurisdiction (code) values ($1) on conflict do nothing`, [JURISDICTION])
  await pool.query(`insert into manifest (version, profile) values ('permit@bench', 'permit') on conflict do nothing`)
  await pool.query(
    `insert into batch (jurisdiction, id, state, profile, lane, submitter, digest, manifest, received_hash, audit_seq, audit_hash,
       started_at, finished_at)
     select $1, $2, $3, 'permit', 'standard', 'key:bench', sha256('x'), number, sha256('x'), 1, sha256('x'), now(), now()
     from manifest where version = 'permit@bench'`,
    [JURISDICTION, id, state]
  )
  await pool.query(
    `insert into file (jurisdiction, id, batch_id, number, state, filename, media_type, kind, size, sha256, payload_uri, audit_seq,
       audit_hash)
     values ($1, $2, $2, 1, 'split', 'bench.csv', 'text/csv', 'data', 1, sha256('x'), 'file:none', 1, sha256('x'))`,
    [JURISDICTION, id]
  )
}

/** Chunks of a batch with the counts of the records below: one in fifty held, and a last chunk of rejected ones. */
async function addChunks(pool: Pool, batchId: string, records: number): Promise<void> {
  await pool.query(
    `insert into chunk (jurisdiction, id, batch_id, file_id, file_number, ordinal, kind, state, byte_start, byte_end, first_item,
       first_line, record_count, generation, accepted, quarantined, rejected, committed_at, stage_ms, codes)
     select $1, md5($2::text || n)::uuid, $2::text::uuid, $2::text::uuid, 1, n, 'rows', 'committed', n * 100000, n * 100000 + 100000, n * $3::int + 1,
       n * $3 + 2, $3, 1, case when last then 0 else $3 - $3 / 50 end, case when last then 0 else $3 / 50 end,
       case when last then $3 else 0 end, now(),
       '{"queue_wait": 12, "read": 4.5, "map": 8.25, "enrich": 0.5, "validate": 6, "commit": 25}',
       case when last then array['CANCELLED_BY_CLERK'] else array['UNMAPPED_ENUM', 'INVALID_DATE'] end
     from (select n, n = $4::int / $3 - 1 as last from generate_series(0, $4::int / $3 - 1) n) chunks`,
    [JURISDICTION, batchId, CHUNK, records]
  )
}

async function addRecords(
  pool: Pool,
  batchId: string,
  slice: { from: number; to: number; last: number }
): Promise<void> {
  await pool.query(
    `with r as (
       select n, (lpad(to_hex(n), 16, '0') || right(replace($2::text, '-', ''), 16))::uuid as id, md5($2::text || (n - 1) / $3::int)::uuid as chunk_id, sha256(($2::text || n)::bytea) as key,
         'B-' || right($2::text, 8) || '-' || lpad(n::text, 9, '0') as natural_key,
         case when n > $6::int - $3::int then 'rejected' when n % 50 = 0 then 'quarantined' else 'accepted' end as state,
         jsonb_build_object('submission_id', 'B-' || n, 'permit_type_code', 'Residential Roof', 'parcel_id', '0012-' || n,
           'jurisdiction_fips', $1::text, 'project_valuation', n || '.00', 'issued_date', '2024-02-29',
           'site_address', n || ' Main Street', 'work_description', 'Tear off and replace roof covering, no structural work') as content
       from generate_series($4::int, $5::int) n
     ), versions as (
       insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id, batch_received_at,
         batch_id, file_number, item, content)
       select $1, 'permit', natural_key, 1, key, id, now(), $2::text::uuid, 1, n, content from r where state = 'accepted'
     )
     insert into record (jurisdiction, batch_id, file_number, item, id, file_id, chunk_id, line, profile, state, manifest,
       idempotency_key, natural_key, version, confidence, reasons, content, audit_seq, audit_hash)
     select $1, $2::text::uuid, 1, n, id, $2::text::uuid, chunk_id, n + 1, 'permit', state, 1, key,
       case when state = 'accepted' then natural_key end, case when state = 'accepted' then 1 end, 1,
       (case state when 'quarantined' then $8::text when 'rejected' then $9::text else case when n % 10 = 0 then $7::text else '[]' end end)::jsonb,
       case when state <> 'accepted' then content end, 1, key
     from r`,
    [JURISDICTION, batchId, CHUNK, slice.from, slice.to, slice.last, REASONS.warn, REASONS.held, REASONS.rejected]
  )
}

async function fill(pool: Pool, records: number): Promise<string> {
  const id = newId()
  await addBatch(pool, id, 'completed')
  await addChunks(pool, id, records)
  for (let from = 1; from <= records; from += SLICE) {
    await addRecords(pool, id, { from, to: Math.min(records, from + SLICE - 1), last: records })
    process.stderr.write(`\r${Math.min(records, from + SLICE - 1)} records`)
  }
  process.stderr.write('\n')
  await pool.query('vacuum (analyze) chunk')
  await pool.query('analyze')
  return id
}

/** Many batches of one chunk, for the listing of batches. */
async function addSmallBatches(pool: Pool): Promise<void> {
  await pool.query(
    `insert into batch (jurisdiction, id, state, profile, lane, submitter, digest, manifest, received_hash, audit_seq, audit_hash,
       started_at, finished_at)
     select $1, md5('b' || n)::uuid, 'completed', 'permit', 'standard', 'key:bench', sha256('x'), 1, sha256('x'), 1, sha256('x'),
       now(), now() from generate_series(1, $2::int) n`,
    [JURISDICTION, SMALL_BATCHES]
  )
  await pool.query(
    `insert into chunk (jurisdiction, id, batch_id, file_id, file_number, ordinal, kind, state, first_item, record_count, accepted)
     select $1, md5('c' || n)::uuid, md5('b' || n)::uuid, md5('b' || n)::uuid, 1, 0, 'rows', 'committed', 1, 1, 1
     from generate_series(1, $2::int) n`,
    [JURISDICTION, SMALL_BATCHES]
  )
}

const cursorAt = (item: number): string => Buffer.from(JSON.stringify(['records', 1, item])).toString('base64url')

/** What is asked for, each with a random place. */
const ASKED: Readonly<Record<string, (batch: string, item: number) => string>> = {
  'batch status': batch => batch,
  'records, any page of 50': (batch, item) => `${batch}/records?cursor=${cursorAt(item)}`,
  'records, held, any page of 50': (batch, item) => `${batch}/records?state=quarantined&cursor=${cursorAt(item)}`,
  'records, rejected (all in the last chunk)': batch => `${batch}/records?state=rejected`,
  'records, by row': (batch, item) => `${batch}/records?row=${item}`,
  'records, by line': (batch, item) => `${batch}/records?line=${item}`,
  'records, by a reason of the last chunk': batch => `${batch}/records?reason=CANCELLED_BY_CLERK`,
  'records, by a reason of every chunk': (batch, item) =>
    `${batch}/records?reason=INVALID_DATE&cursor=${cursorAt(item)}`,
  'listing of batches': () => '/v1/batches'
}

async function measure(deployment: Deployment, batchId: string, records: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  for (const [name, path] of Object.entries(ASKED)) {
    const taken: number[] = []
    for (let i = 0; i < REQUESTS + 20; i++) {
      const item = 1 + Math.floor(Math.random() * (records - CHUNK))
      const begun = performance.now()
      const response = await fetch(`${deployment.address}${path(`/v1/batches/${batchId}`, item)}`, {
        headers: deployment.headers
      })
      const body = await response.text()
      if (!response.ok || body.includes('"data":[]'))
        throw new Error(`${name}: ${response.status} ${body.slice(0, 200)}`)
      if (i >= 20) taken.push(performance.now() - begun)
    }
    times.set(name, taken)
  }
  return times
}

const ms = (times: readonly number[] | undefined, share: number): string =>
  `${percentile([...(times ?? [])], share).toFixed(1)} ms`.padStart(10)

async function main(): Promise<void> {
  const many = Number(process.argv[2] ?? 10_000_000)
  const deployment = await startDeployment()
  const pool = createPool({ url: deployment.url, max: 2, applicationName: 'bench', onError: () => undefined })
  try {
    await deployment.stopWorker()
    const few = await measure(deployment, await fill(pool, FEW), FEW)
    await addSmallBatches(pool)
    const begun = performance.now()
    const batchId = await fill(pool, many)
    console.log(`${many} records filled in ${Math.round((performance.now() - begun) / 1000)} s`)
    const all = await measure(deployment, batchId, many)
    console.log(`${''.padEnd(44)} ${FEW} records: p50, p99; ${many} records: p50, p99`)
    for (const name of Object.keys(ASKED)) {
      const cells = [few, all].flatMap(times => [ms(times.get(name), 0.5), ms(times.get(name), 0.99)])
      console.log(`${name.padEnd(44)}${cells.join('')}`)
    }
  } finally {
    await pool.end()
    await deployment.stop()
  }
}

await main()
