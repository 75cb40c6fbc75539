/**
 * Scores documents that list many permits: `node bench/score-listings.ts LISTINGS [--only PART] [--misses]`, where LISTINGS
 * is a file of lines `{ path, listing: { record_count }, truth_csv }`. Prints rows found and cells right of every file.
 */
import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findListing } from '../src/profiles/listing/find-listing.ts'
import { permit } from '../src/profiles/permit/permit.ts'
import { documentReader } from './documents/read-document.ts'
import { MEDIA_TYPES, sameValue } from './documents/truth.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, misses: { type: 'boolean', default: false } }
})

/** Column of the right answers → field. */
const COLUMNS: Readonly<Record<string, string>> = {
  applicant_name: 'applicant_name',
  site_address: 'site_address',
  construction_type: 'permit_type_code',
  contractor: 'contractor_name',
  cost_approximate: 'project_valuation',
  permit_fee: 'stated_fee'
}

interface Listing {
  readonly path: string
  readonly listing: { readonly record_count: number }
  readonly truth_csv?: string
}

type Row = Readonly<Record<string, string>>

/** Plain comma-separated text with a head, as the right answers are written. */
function parseCsv(text: string): Row[] {
  const rows: string[][] = [[]]
  for (const [whole, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    if (whole === '') break
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== ',') rows.push([])
  }
  const [head = [], ...body] = rows.filter(row => row.length > 1)
  return body.map(row => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
}

const bare = (text: unknown): string =>
  (typeof text === 'string' ? text : '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

interface Score {
  readonly gold: number
  readonly found: number
  readonly extra: number
  readonly cells: number
  readonly right: number
}

const ZERO: Score = { gold: 0, found: 0, extra: 0, cells: 0, right: 0 }
const documents = documentReader()

async function score(root: string, { path, listing, truth_csv: csv }: Listing): Promise<Score> {
  const outcome = await documents.read(join(root, path))
  const context = { today: '2026-01-15', jurisdiction: '46081' }
  const records = outcome.ok ? (findListing(permit, outcome.document, context) ?? []) : []
  const byNumber = new Map(records.map(record => [bare(record.fields['submission_id']?.value), record]))
  const gold = csv === undefined ? [] : parseCsv(readFileSync(join(root, csv), 'utf8'))
  let [found, cells, right] = [0, 0, 0]
  for (const row of gold) {
    const record = byNumber.get(bare(row['permit_number']))
    if (record) found += 1
    else if (args.misses) console.log(`   no row ${row['permit_number']}`)
    for (const [column, field] of Object.entries(COLUMNS)) {
      const wanted = row[column]
      if (!wanted) continue
      cells += 1
      const value = record?.fields[field]?.value
      if (sameValue(wanted, value)) right += 1
      else if (args.misses) console.log(`   ${row['permit_number']} ${field}: ${JSON.stringify(value)} for ${wanted}`)
    }
  }
  if (args.misses) {
    const known = new Set(gold.map(row => bare(row['permit_number'])))
    for (const [number, record] of byNumber)
      if (!known.has(number)) console.log('   extra', number, JSON.stringify(record.fields))
  }
  return { gold: listing.record_count, found, extra: Math.max(0, records.length - listing.record_count), cells, right }
}

const told = ({ gold, found, extra, cells, right }: Score): string =>
  `rows found ${found} of ${gold}, extra ${extra}, cells right ${right} of ${cells} (${((100 * right) / Math.max(1, cells)).toFixed(1)} %)`

const [file] = positionals
if (file === undefined) throw new Error('Name a file of listings.')
let sum = ZERO
try {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const entry = JSON.parse(line) as Listing
    if (!Object.hasOwn(MEDIA_TYPES, extname(entry.path)) || !entry.path.includes(args.only ?? '')) continue
    const one = await score(dirname(file), entry)
    console.log(`${entry.path}: ${told(one)}`)
    sum = {
      gold: sum.gold + one.gold,
      found: sum.found + one.found,
      extra: sum.extra + one.extra,
      cells: sum.cells + one.cells,
      right: sum.right + one.right
    }
  }
} finally {
  await documents.close()
}
console.log(`all: ${told(sum)}`)
