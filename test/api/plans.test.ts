import { test } from 'tap'
import type { Pool } from '../../src/db/pool.ts'
import { json, testApi } from '../helpers/app.ts'
import { CSV, formOf } from './bodies.ts'

/** Tables that grow with every submission. */
const LARGE = new Set(['record', 'audit_entry', 'chunk', 'batch', 'file', 'canonical_record'])
const BATCHES = 20_000
const RECORDS = 40_000
/** The most rows a page of 50 may look at. */
const MOST_ROWS = 1000

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** Many batches, one of them large, as intake and workers leave them; most of an office, a few of another. */
async function fill(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from batch')
  const large = rows[0]?.id ?? ''
  await pool.query(`insert into jurisdiction (code) values ('36061') on conflict do nothing`)
  await pool.query(
    `insert into batch (jurisdiction, id, state, profile, lane, submitter, digest, manifest, received_hash, audit_seq, audit_hash)
     select case when n % 2000 = 0 then '36061' else b.jurisdiction end, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'queued', b.profile,
       b.lane, b.submitter, b.digest, b.manifest, b.received_hash, 1, b.audit_hash
     from batch b cross join generate_series(1, $1::int) n`,
    [BATCHES]
  )
  await pool.query(
    `insert into file (jurisdiction, id, batch_id, number, state, filename, media_type, kind, size, sha256, payload_uri, audit_seq, audit_hash)
     select b.jurisdiction, gen_random_uuid(), b.id, 1, 'split', 'n.csv', f.media_type, f.kind, 1, f.sha256, f.payload_uri, 1, f.audit_hash
     from batch b cross join file f where b.id <> $1 and f.batch_id = $1`,
    [large]
  )
  await pool.query(
    `insert into chunk (jurisdiction, id, batch_id, file_id, file_number, ordinal, kind, state, record_count)
     select jurisdiction, gen_random_uuid(), batch_id, id, 1, 0, 'rows', 'pending', 1 from file where batch_id <> $1`,
    [large]
  )
  await pool.query(
    `insert into record (jurisdiction, batch_id, file_number, item, id, file_id, chunk_id, line, profile, state, manifest,
       idempotency_key, reasons, audit_seq, audit_hash, created_at)
     select c.jurisdiction, c.batch_id, 1, n, gen_random_uuid(), c.file_id, c.id, n + 1, b.profile,
       case when n % 4 = 0 then 'quarantined' else 'rejected' end, b.manifest, sha256(n::text::bytea),
       jsonb_build_array(jsonb_build_object('code', 'FIELD_MISSING', 'severity', 'block', 'failure_class', 'permanent',
         'field', null, 'message', 'x', 'origin', null)), 1, b.audit_hash, now() - make_interval(secs => $2 - n)
     from chunk c join batch b on b.id = c.batch_id cross join generate_series(1, $2::int) n where c.batch_id = $1`,
    [large, RECORDS]
  )
  await pool.query(
    `insert into audit_entry (jurisdiction, subject_id, seq, entry, hash)
     select jurisdiction, id, 1, e.entry, e.hash from record
     cross join (select entry, hash from audit_entry where subject_id = $1 limit 1) e`,
    [large]
  )
  await pool.query(
    `insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
       batch_received_at, batch_id, file_number, item, content)
     select jurisdiction, profile, id::text, 1, idempotency_key, id, now(), batch_id, file_number, item, '{}' from record`
  )
  await pool.query('analyze')
  return large
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

test('lists are read through indexes, and a page looks at little more than it shows', async t => {
  const api = await testApi(t)
  await json(await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) }))
  const large = await fill(api.pool)
  const { rows } = await api.pool.query<{ id: string }>('select id from record offset 100 limit 1')
  const local = await api.keyFor({ jurisdictions: ['53033'] })
  const two = await api.keyFor({ jurisdictions: ['53033', '36061'] })
  const rare = await api.keyFor({ jurisdictions: ['36061'] })

  const statements: Statement[] = []
  const { pool } = api
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<unknown>
  const watched = (statement: string | Statement, values: unknown[] = []) => {
    const { text, values: given } = typeof statement === 'string' ? { text: statement, values } : statement
    if (/^\s*(?:select|with)\b/.test(text) && !text.includes('api_key')) statements.push({ text, values: given })
    return query(text, given)
  }
  pool.query = watched as typeof pool.query

  const lists = [
    '/v1/batches?limit=50',
    '/v1/batches?limit=50&state=queued&lane=standard&profile=permit',
    '/v1/quarantine?limit=50',
    '/v1/quarantine?limit=50&sort=due',
    '/v1/quarantine?limit=50&reason=FIELD_MISSING&profile=permit&min_age_seconds=1',
    `/v1/quarantine?limit=50&batch_id=${large}`,
    `/v1/batches/${large}/records?limit=50`,
    `/v1/batches/${large}/records?limit=50&state=quarantined&reason=FIELD_MISSING`,
    `/v1/batches/${large}/records?limit=50&row=30000`,
    `/v1/batches/${large}/audit?limit=50`,
    `/v1/records/${rows[0]?.id}/audit?limit=50`,
    `/v1/records/${rows[0]?.id}/revisions?limit=50`,
    `/v1/batches/${large}`,
    `/v1/records/${rows[0]?.id}`
  ]
  /** What was asked of the database for one page, with how it was read. */
  const check = async (path: string, key: string): Promise<string | null> => {
    statements.length = 0
    const body = await json(await api.fetch(path, { headers: { authorization: `Bearer ${key}` } }))
    for (const { text, values } of statements) {
      const plan = (await query(`explain (analyze, format json) ${text}`, values)) as {
        rows: { 'QUERY PLAN': [{ Plan: Node }] }[]
      }
      const nodes = plan.rows.flatMap(row => nodesOf(row['QUERY PLAN'][0].Plan))
      const large = nodes.filter(node => LARGE.has(node['Relation Name'] ?? ''))
      const looked = large.map(
        node => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      )
      const seen = Math.max(0, ...looked)
      const scans = large.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
      t.strictSame(scans, [], `${path}: no table is read from end to end`)
      t.ok(seen <= MOST_ROWS, `${path}: looks at ${seen} rows`)
    }
    t.ok(statements.length > 0, `${path}: saw its statements`)
    return body.next_cursor ?? null
  }
  for (const path of lists) {
    for (const [name, key] of Object.entries({ admin: api.admin, local, two })) {
      t.comment(`${name} ${path}`)
      const cursor = await check(path, key)
      if (cursor !== null) await check(`${path}&cursor=${cursor}`, key)
    }
  }
  for (const path of ['/v1/batches?limit=50', '/v1/quarantine?limit=50']) await check(path, rare)
})
