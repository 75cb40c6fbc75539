import { test } from 'tap'
import type { RawValue } from '../../src/model/rows.ts'
import { permit } from '../../src/profiles/permit/permit.ts'
import { knownColumn } from '../../src/profiles/tabular/column-index.ts'
import { detectFormat } from '../../src/tabular/detect-format.ts'
import { Random } from '../normalize/properties/random.ts'
import { splitAll } from './read-all.ts'

/** Tables by default; `MUTATED_TABLES=10000` for the full run. `MUTATED_SEED` begins elsewhere. */
const COUNT = Number(process.env['MUTATED_TABLES'] ?? 400)
const SEED = Number(process.env['MUTATED_SEED'] ?? 1)
const HEADER = 'submission_id,permit_type_code,parcel_id,project_valuation,work_description'
const MARKS = ['"', '"', ',', '\n', '', 'x', '\r', '\0', ';', '\\', 'é', '""', '","'] as const

function tableOf(random: Random, isQuoted: boolean): string[] {
  const noteOf = (): string =>
    isQuoted && random.below(2) === 1 ? `"note ${random.digits(3)}, and ""more"""` : `note ${random.digits(3)}`
  return Array.from(
    { length: 30 },
    (_, i) => `P-${i}x,Building,00${random.digits(4)},${1 + random.below(9000)}.00,${noteOf()}`
  )
}

/** Puts one to three marks somewhere below the header, each beside or instead of what stands there. */
function mutated(random: Random, lines: readonly string[]): string {
  const body = HEADER.length + 1
  let text = `${HEADER}\n${lines.join('\n')}\n`
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = body + random.below(text.length - body)
    text = text.slice(0, at) + random.pick(MARKS) + text.slice(at + random.below(2))
  }
  return text
}

const firstCell = ([first]: readonly RawValue[]): string => (typeof first === 'string' ? first : '')

/** What became of the rows that no mutation touched, where it is not what it should be. */
async function faultsOf(seed: number, isQuoted: boolean): Promise<string[]> {
  const random = new Random(seed)
  const lines = tableOf(random, isQuoted)
  const text = mutated(random, lines)
  const decision = detectFormat(Buffer.from(text), { whole: true, knownColumn: name => knownColumn(permit, name) })
  if (!decision.ok) return []
  const { rows } = await splitAll(Buffer.from(text), decision.format)
  const own = new Set(rows.map(row => (row.source ?? firstCell(row.values)).split(',')[0]?.replace(/^"/, '')))
  const intact = new Set(text.split('\n'))
  return lines
    .filter(line => intact.has(line))
    .flatMap(line => {
      const id = line.slice(0, line.indexOf(','))
      return own.has(id) ? [] : [`seed ${seed}: ${id} has no row of its own`]
    })
}

for (const isQuoted of [false, true]) {
  test(`no mutation of a table takes a row from another: ${isQuoted ? 'some cells quoted' : 'none quoted'}`, async t => {
    t.comment(`seeds ${SEED} to ${SEED + COUNT - 1}`)
    const faults: string[] = []
    for (let seed = SEED; seed < SEED + COUNT; seed++) faults.push(...(await faultsOf(seed, isQuoted)))
    t.strictSame(faults, [])
  })
}
