import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../../src/db/pool.ts'

/** Ways in which a text may be written down. */
const formsOf = (canary: string): string[] => [
  canary,
  canary.toUpperCase(),
  canary.toLowerCase(),
  JSON.stringify(canary).slice(1, -1),
  encodeURIComponent(canary),
  Buffer.from(canary).toString('hex'),
  Buffer.from(canary, 'utf16le').toString('hex'),
  Buffer.from(canary).toString('base64').slice(0, -4)
]

async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name)
  }
}

/** Every table of every schema, and every file of some folders, that holds one of these texts in any form. */
export async function findCanaries(pool: Pool, folders: readonly string[], canaries: readonly string[]) {
  const found: string[] = []
  const forms = [...new Set(canaries.flatMap(formsOf))]
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`
  )
  for (const { name } of tables) {
    const { rows } = await pool.query<{ form: string }>(
      `select distinct form from ${name} t, unnest($1::text[]) form where position(form in t::text) > 0`,
      [forms]
    )
    found.push(...rows.map(row => `${name}: ${row.form}`))
  }
  for (const folder of folders) {
    for await (const path of filesIn(folder)) {
      const bytes = await readFile(path)
      found.push(...forms.filter(form => bytes.includes(form)).map(form => `${path}: ${form}`))
    }
  }
  return { found, tables: tables.length }
}
