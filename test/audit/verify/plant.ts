import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { merkleRoot } from '../../../src/audit/merkle.ts'
import type { Pool } from '../../../src/db/pool.ts'
import type { Json } from '../../../src/model/json.ts'
import { canonicalJson } from '../../../src/model/json.ts'

const TABLES = [
  'batch',
  'file',
  'chunk',
  'record',
  'record_revision',
  'record_erasure',
  'canonical_record',
  'canonical_head',
  'decided_content',
  'held_content',
  'audit_entry',
  'audit_page',
  'audit_commit',
  'audit_tile',
  'audit_checkpoint'
] as const

/** The database superuser at work past triggers and constraints. */
export interface Planter {
  /** Runs a statement; answers its first row's first column as text: the subject of the fault. */
  run(statement: string, values?: unknown[]): Promise<string>
  /**
   * Writes another text for an entry and forges everything that depends on it: its hash, the row's knowledge of it when
   * it is the last, and the root of its commit.
   */
  forge(
    subject: string,
    seq: number,
    change: (entry: Record<string, Json>) => string | Record<string, Json>
  ): Promise<string>
}

/** Rewrites every page as rows of `audit_entry`: whoever verifies must not care which of the two an entry is in. */
const UNPACK = `
  insert into audit_entry (jurisdiction, subject_id, seq, entry, hash) select * from audit_trail t
  where not exists (select 1 from audit_entry e where e.jurisdiction = t.jurisdiction and e.subject_id = t.subject_id and e.seq = t.seq);
  delete from audit_page`

/**
 * Connects as somebody whom neither triggers nor constraints stop. `restore` undoes whatever was done since. Entries are
 * rows of `audit_entry`, so that each can be changed by itself, unless they are to stay in pages.
 */
export async function planter(
  pool: Pool,
  { pages = false }: { readonly pages?: boolean } = {}
): Promise<Planter & { restore(): Promise<void>; end(): void }> {
  const client = await pool.connect()
  await client.query(`set session_replication_role = replica`)
  if (!pages) await client.query(UNPACK)
  await client.query('create schema backup')
  for (const table of TABLES) {
    await client.query(`create table backup.${table} as table ${table}`)
  }
  const { rows: constraints } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
     where conrelid = any($1::text[]::regclass[]) and contype in ('c', 'p', 'u')
     union all
     select format('alter table %s alter column %I drop expression', attrelid::regclass, attname) from pg_attribute
     where attrelid = any($1::text[]::regclass[]) and attgenerated <> ''`,
    [TABLES]
  )
  for (const { statement } of constraints) await client.query(statement)
  const run = async (statement: string, values: unknown[] = []): Promise<string> => {
    const { rows, rowCount } = await client.query<Record<string, unknown>>(statement, values)
    if (rowCount === 0) throw new Error(`nothing was planted by ${statement}`)
    return String(Object.values(rows[0] ?? {})[0])
  }
  return {
    run,
    forge: (subject, seq, change) => forge(client, { subject, seq }, change),
    async restore() {
      await client.query(
        TABLES.map(table => `delete from ${table}; insert into ${table} select * from backup.${table}`).join(';')
      )
    },
    end: () => client.release(true)
  }
}

async function forge(
  client: PoolClient,
  { subject, seq }: { subject: string; seq: number },
  change: Parameters<Planter['forge']>[2]
): Promise<string> {
  const { rows } = await client.query<{ entry: Buffer }>(
    'select entry from audit_entry where subject_id = $1 and seq = $2',
    [subject, seq]
  )
  const before = JSON.parse(String(rows[0]?.entry)) as Record<string, Json>
  const changed = change(structuredClone(before))
  const entry = Buffer.from(typeof changed === 'string' ? changed : canonicalJson(changed))
  const hash = createHash('sha256').update(entry).digest()
  await client.query('update audit_entry set entry = $3, hash = $4 where subject_id = $1 and seq = $2', [
    subject,
    seq,
    entry,
    hash
  ])
  for (const table of ['batch', 'file', 'record']) {
    await client.query(`update ${table} set audit_hash = $3 where id = $1 and audit_seq = $2`, [subject, seq, hash])
  }
  const { rows: leaves } = await client.query<{ hash: Buffer }>(
    `select hash from audit_entry where convert_from(entry, 'UTF8') like '%"commit":"' || $1 || '"%' order by subject_id`,
    [before['commit']]
  )
  await client.query('update audit_commit set root = $2 where id = $1', [
    before['commit'],
    merkleRoot(leaves.map(leaf => leaf.hash))
  ])
  return subject
}
