/**
 * Lists, for every delimited file of a folder and those below it, which column is which field, which columns are none,
 * which required fields have no column and what is suggested for them; and how many rows there are.
 * Usage: node test/profiles/list-columns.ts <folder> [profile].
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RawRow } from '../../src/model/rows.ts'
import { detectFile } from '../../src/pipeline/split/detect-file.ts'
import { loadProfiles } from '../../src/profiles/load-profiles.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { gatherEvidence } from '../../src/profiles/tabular/column-evidence.ts'
import { mapColumns } from '../../src/profiles/tabular/map-columns.ts'
import { rowMapper } from '../../src/profiles/tabular/row-mapper.ts'
import { splitAll } from '../tabular/read-all.ts'

const write = (line: string): unknown => process.stdout.write(`${line}\n`)

/** How many rows have what to tell, by code and field. */
function tally(profile: Profile, rows: readonly RawRow[], evidence: ReturnType<typeof evidenceOf>): string {
  const map = rowMapper(profile, { today: '2026-06-30', jurisdiction: '53033', evidence })
  const counts = new Map<string, number>()
  for (const row of rows) {
    for (const { code, field } of map(row).reasons) {
      const name = `${code} ${field ?? ''}`.trim()
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts].map(([name, count]) => `${name} × ${count}`).join(', ')
}

function evidenceOf(profile: Profile, rows: readonly RawRow[]) {
  const collector = gatherEvidence(profile)
  for (const row of rows) collector.add(row)
  return collector.result()
}

function columnLines(profile: Profile, names: readonly string[], evidence: ReturnType<typeof evidenceOf>): string[] {
  const mapping = mapColumns(profile, names, { evidence })
  const nameOf = (at: number): string => JSON.stringify(names[at])
  const fields = mapping.fields.map(({ field, own, fallbacks, composition, isInferred }) => {
    const parts = composition?.parts.map(([, at]) => nameOf(at)).join(' + ') ?? ''
    const from =
      own.length > 0 ? own.map(nameOf).join(', ') : parts || `${fallbacks.map(nameOf).join(', ')} (stands in)`
    return `  ${field.name} ← ${from}${isInferred ? ' (by its cells)' : ''}`
  })
  const used = new Set(mapping.fields.flatMap(({ own, fallbacks }) => (own.length > 0 ? own : fallbacks)))
  const unused = mapping.extra.filter(at => !used.has(at))
  const missing = Object.values(profile.fields).filter(
    field =>
      field.required && field.name !== profile.jurisdictionField && !mapping.fields.some(one => one.field === field)
  )
  return [
    ...fields,
    `  no field: ${unused.map(nameOf).join(', ') || 'none'}`,
    `  required without a column: ${missing.map(field => field.name).join(', ') || 'none'}`
  ]
}

async function list(profile: Profile, path: string, label: string): Promise<void> {
  const bytes = readFileSync(path)
  const decision = detectFile(profile, { mediaType: 'text/csv', bytes, whole: true })
  if (!decision.ok) {
    write(`${label}: ${decision.fault.code}, ${decision.fault.detail ?? ''}`)
    return
  }
  const { rows } = await splitAll(bytes, decision.format)
  const names = decision.format.kind === 'delimited' ? decision.format.columns : []
  const evidence = evidenceOf(profile, rows)
  write(`${label}: ${rows.length} rows, ${names.length} columns`)
  for (const line of columnLines(profile, names, evidence)) write(line)
  write(`  told of rows: ${tally(profile, rows, evidence) || 'nothing'}`)
}

const [, , folder, name = 'permit'] = process.argv
const profile = (await loadProfiles()).get(name)
if (folder === undefined || profile === undefined) throw new Error('Usage: list-columns.ts <folder> [profile]')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.(?:csv|tsv|txt)$/.test(file))
for (const file of files.toSorted()) await list(profile, join(folder, file), file)
