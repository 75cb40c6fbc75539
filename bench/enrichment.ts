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

interface Run {
  readonly ms: number
  /** Processor time of API, worker and database, microseconds a record. */
  readonly cpu: number
}

async function run(deployment: Deployment, jurisdiction: string, tag: string): Promise<Run> {
  const bytes = permits(COUNT, tag)
  const [cpu, begun] = [deployment.cpuSeconds(), performance.now()]
  const { id } = await post(deployment, bytes, 'text/csv', jurisdiction)
  const { counts } = await untilEnded(deployment, id)
  const ended = { ms: performance.now() - begun, cpu: ((deployment.cpuSeconds() - cpu) / COUNT) * 1e6 }
  if (counts['accepted'] !== COUNT) throw new Error(`not all were accepted: ${JSON.stringify(counts)}`)
  return ended
}

/**
 * 100,000 permits through API and one worker, with a registry of 200,000 parcels and fees in tables and without any, in
 * turns on the same deployment: what enrichment costs, in time and in processor time of all processes.
 */
export async function enrichment(): Promise<void> {
  const deployment = await startDeployment()
  try {
    await loadRegistries(deployment.url)
    const runs: Record<string, Run[]> = { [BARE]: [], [ENRICHED]: [] }
    for (const jurisdiction of [BARE, ENRICHED]) {
      await untilEnded(
        deployment,
        (await post(deployment, permits(20_000, `warm-${jurisdiction}`), 'text/csv', jurisdiction)).id
      )
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const jurisdiction of [BARE, ENRICHED]) {
        runs[jurisdiction]?.push(await run(deployment, jurisdiction, `${jurisdiction}-${round}`))
      }
    }
    const of = (jurisdiction: string, what: keyof Run): number[] => (runs[jurisdiction] ?? []).map(each => each[what])
    const list = (values: readonly number[]): string => values.map(value => Math.round(value)).join(', ')
    for (const what of ['cpu', 'ms'] as const) {
      const [bare, enriched] = [of(BARE, what), of(ENRICHED, what)]
      const slower = (median(enriched) / median(bare) - 1) * 100
      const unit = what === 'cpu' ? 'µs of processor a record' : 'ms end to end'
      console.log(`${unit}: bare ${list(bare)}; enriched ${list(enriched)}; ${slower.toFixed(1)} % more`)
    }
  } finally {
    await deployment.stop()
  }
}
