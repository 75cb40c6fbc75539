import { Client } from 'pg'
import { type Deployment, post, startDeployment, untilEnded } from './deployment.ts'
import { median } from './final-rows.ts'
import { permitCsv, permitRows } from './permits.ts'

const COUNT = 100_000
const PARCELS = 200_000
const ROUNDS = 3
const BARE = 'bench-bare'
const ENRICHED = 'bench-enriched'

const parcelOf = (n: number): string => String(1_000_000_000 + n)
const addressOf = (n: number): string => `${1 + (n % 9999)} Elm St`

/** UBC 1997 table 1-A. */
const BRACKETS = [
  ['0', '500', '23.50', '0', '1'],
  ['500', '2000', '23.50', '3.05', '100'],
  ['2000', '25000', '69.25', '14.00', '1000'],
  ['25000', '50000', '391.25', '10.10', '1000'],
  ['50000', '100000', '643.75', '7.00', '1000'],
  ['100000', '500000', '993.75', '5.60', '1000'],
  ['500000', '1000000', '3233.75', '4.75', '1000'],
  ['1000000', null, '5608.75', '3.65', '1000']
].map(([over, upTo, base, rate, unit]) => ({ over, upTo, base, rate, unit }))

/** Loads 200,000 parcels that agree with the permits, and a schedule of fees. */
async function loadRegistries(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into registry_parcel (jurisdiction, parcel_id, zoning_code, site_address)
     select $1, (1000000000 + n)::text, 'R-' || n % 9, (1 + n % 9999) || ' Elm St' from generate_series(0, $2::int - 1) n`,
    [ENRICHED, PARCELS]
  )
  await client.query(
    `insert into registry_fee_schedule (jurisdiction, id, effective_from, brackets) values ($1, 'FS-1', '2020-01-01', $2)`,
    [ENRICHED, JSON.stringify(BRACKETS)]
  )
  await client.query('analyze registry_parcel')
  await client.end()
}

/** Permits whose parcels are spread over all that were loaded. */
function permits(count: number, tag: string): Buffer {
  const rows = permitRows(count, tag).map((row, i) => {
    const parcel = (i * 7919) % PARCELS
    return row.map((cell, at) => (at === 1 ? parcelOf(parcel) : at === 3 ? addressOf(parcel) : cell))
  })
  return permitCsv(rows)
}

/** Processor time, microseconds a record. */
type Cpu = Readonly<Record<'api' | 'worker' | 'database' | 'all', number>>

interface Run extends Cpu {
  readonly ms: number
}

const UNITS = {
  all: 'µs of processor a record',
  database: 'of these the database',
  worker: 'the worker',
  api: 'the API',
  ms: 'ms end to end'
} as const satisfies Record<keyof Run, string>

async function run(deployment: Deployment, jurisdiction: string, count: number, tag: string): Promise<Run> {
  const bytes = permits(count, tag)
  const [cpu, begun] = [deployment.cpuSecondsBy(), performance.now()]
  const { id } = await post(deployment, bytes, 'text/csv', jurisdiction)
  const { counts } = await untilEnded(deployment, id)
  const [ms, used] = [performance.now() - begun, deployment.cpuSecondsBy()]
  if (counts['accepted'] !== count) throw new Error(`not all were accepted: ${JSON.stringify(counts)}`)
  const micros = (of: keyof typeof used): number => ((used[of] - cpu[of]) / count) * 1e6
  const [api, worker, database] = [micros('api'), micros('worker'), micros('database')]
  return { ms, api, worker, database, all: api + worker + database }
}

export interface EnrichmentSize {
  readonly records?: number
  readonly rounds?: number
}

/**
 * 100,000 permits through API and one worker, with a registry of 200,000 parcels and fees in tables and without any, in
 * turns on the same deployment: what enrichment costs, in time and in processor time of each process.
 */
export async function enrichment({ records = COUNT, rounds = ROUNDS }: EnrichmentSize = {}): Promise<void> {
  const deployment = await startDeployment()
  try {
    await loadRegistries(deployment.url)
    const runs: Record<string, Run[]> = { [BARE]: [], [ENRICHED]: [] }
    for (const jurisdiction of [BARE, ENRICHED]) {
      await run(deployment, jurisdiction, Math.min(20_000, records), `warm-${jurisdiction}`)
    }
    for (let round = 0; round < rounds; round++) {
      for (const jurisdiction of round % 2 === 0 ? [BARE, ENRICHED] : [ENRICHED, BARE]) {
        runs[jurisdiction]?.push(await run(deployment, jurisdiction, records, `${jurisdiction}-${round}`))
      }
    }
    const of = (jurisdiction: string, what: keyof Run): number[] => (runs[jurisdiction] ?? []).map(each => each[what])
    const list = (values: readonly number[]): string => values.map(value => value.toFixed(1)).join(', ')
    for (const [what, unit] of Object.entries(UNITS) as [keyof Run, string][]) {
      const [bare, enriched] = [of(BARE, what), of(ENRICHED, what)]
      const [least, mid] = [Math.min(...enriched) / Math.min(...bare), median(enriched) / median(bare)]
      const more = [mid, least].map(ratio => `${((ratio - 1) * 100).toFixed(1)} %`)
      console.log(`${unit}: bare ${list(bare)}; enriched ${list(enriched)}; ${more[0]} more, by the least ${more[1]}`)
    }
  } finally {
    await deployment.stop()
  }
}
