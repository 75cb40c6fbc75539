import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type Deployment, DOCKET, percentile, post, startDeployment, untilEnded } from './deployment.ts'
import { type OutageRegistry, startOutageRegistry, WAYS, type Way } from './outage-registry.ts'
import { permitCsv, permitRows } from './permits.ts'

const MINUTES = 10
/** The phases beside the one in which the registry is not there at all take no longer. */
const MOST_BESIDE = 1
const MINUTE_MS = 60_000
/** Records of a batch, and how often one comes for each of the two jurisdictions. */
const RECORDS = 20
const EVERY_MS = { asked: 1000, other: 250 } as const
/** An outage is found to be over within the longest wait of a breaker; a redrive runs every few seconds. */
const RECOVERY_MS = 5 * MINUTE_MS

/** How often it is asked whether a batch has ended: those that wait for the registry are many, and asking is a load of its own. */
const POLL_MS = { asked: 1000, other: 50 } as const

const JURISDICTIONS = { asked: 'outage-asked', other: 'outage-other' } as const
type Who = keyof typeof JURISDICTIONS

interface Sample {
  readonly way: Way
  readonly who: Who
  readonly id: string
  /** Until the 202, and until the batch was completed. */
  readonly acceptedMs: number
  readonly endedMs: number
}

async function configure(deployment: Deployment, registry: OutageRegistry): Promise<void> {
  const file = join(deployment.folder, 'outage-registry.json')
  const content = { jurisdiction: JURISDICTIONS.asked, registries: { parcel: registry.settings } }
  await writeFile(file, JSON.stringify(content))
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: deployment.url, DOCKET_DATA: deployment.folder }
  await promisify(execFile)(DOCKET, ['registry', 'configure', file], { env })
}

let sent = 0

/** One batch, whose parcels nobody has asked for before, until it has ended. */
async function sendOne(deployment: Deployment, who: Who, way: Way): Promise<Sample> {
  sent += 1
  const rows = permitRows(RECORDS, `${who}-${sent}`, sent).map((row, i) =>
    row.map((cell, at) => (at === 1 ? String(1_000_000_000 + sent * RECORDS + i) : cell))
  )
  const begun = performance.now()
  const { id, ms } = await post(deployment, permitCsv(rows), 'text/csv', JURISDICTIONS[who])
  await untilEnded(deployment, id, POLL_MS[who])
  return { way, who, id, acceptedMs: ms, endedMs: performance.now() - begun }
}

/** Both jurisdictions send at their pace for so long, whatever becomes of what was sent before. */
async function phase(deployment: Deployment, way: Way, durationMs: number): Promise<Promise<Sample>[]> {
  const samples: Promise<Sample>[] = []
  const begun = performance.now()
  const sender = async (who: Who): Promise<void> => {
    for (let due = begun; due < begun + durationMs; due += EVERY_MS[who]) {
      await sleep(Math.max(0, due - performance.now()))
      const sample = sendOne(deployment, who, way)
      // Told when all are waited for.
      sample.catch(() => undefined)
      samples.push(sample)
    }
  }
  await Promise.all((Object.keys(EVERY_MS) as Who[]).map(sender))
  return samples
}

/** Records that were sent to the jurisdiction that asks. */
async function sentTo(client: Client): Promise<number> {
  const { rows } = await client.query<{ batches: number }>(
    'select count(*)::int as batches from batch where jurisdiction = $1',
    [JURISDICTIONS.asked]
  )
  return (rows[0]?.batches ?? 0) * RECORDS
}

interface Outcome {
  readonly records: number
  readonly accepted: number
  readonly right: number
  readonly waiting: number
}

/** What has become of all records of the jurisdiction that asks; `right`: those with the zone of their parcel. */
async function outcomeOf(client: Client): Promise<Outcome> {
  const { rows } = await client.query<Outcome>(
    `select count(*)::int as records, count(*) filter (where r.state = 'accepted')::int as accepted,
       count(*) filter (where r.state = 'accepted' and c.content ->> 'zoning_code' = 'Z-' || (c.content ->> 'parcel_id'))::int as right,
       count(*) filter (where r.reasons @> '[{"code": "ENRICH_UNAVAILABLE"}]')::int as waiting
     from record r left join canonical_record c on c.jurisdiction = r.jurisdiction and c.record_id = r.id
     where r.jurisdiction = $1`,
    [JURISDICTIONS.asked]
  )
  const [outcome] = rows
  if (!outcome) throw new Error('nothing was counted')
  return outcome
}

/** Waits, touching nothing, until every record that was sent is accepted; throws when that takes too long or one is wrong. */
async function untilRight(client: Client, records: number): Promise<{ readonly ms: number; readonly waited: number }> {
  const begun = performance.now()
  const { waiting: waited } = await outcomeOf(client)
  for (;;) {
    const outcome = await outcomeOf(client)
    const ms = performance.now() - begun
    if (outcome.accepted !== outcome.right || outcome.records > records) {
      throw new Error(`a record was accepted with another zone, or twice: ${JSON.stringify(outcome)}`)
    }
    if (outcome.right === records) return { ms, waited }
    if (ms > RECOVERY_MS) throw new Error(`not all of ${records} records are right: ${JSON.stringify(outcome)}`)
    await sleep(500)
  }
}

const QUANTILES = { p50: 0.5, p95: 0.95 } as const

function tell(samples: readonly Sample[]): void {
  const figures = [
    ['202 of both jurisdictions', ['asked', 'other'], 'acceptedMs'],
    ['the other jurisdiction until completed', ['other'], 'endedMs'],
    ['the one that asks until completed', ['asked'], 'endedMs']
  ] as const satisfies readonly (readonly [string, readonly Who[], keyof Sample])[]
  for (const [name, of, what] of figures) {
    const times = (way: Way): number[] =>
      samples.filter(one => one.way === way && (of as readonly Who[]).includes(one.who)).map(one => one[what])
    for (const [quantile, p] of Object.entries(QUANTILES)) {
      const well = percentile(times('well'), p)
      const told = WAYS.map(way => {
        const time = percentile(times(way), p)
        return `${way} ${time.toFixed(0)} ms (${(time / well).toFixed(2)})`
      })
      console.log(`${name}, ${quantile}: ${told.join(', ')}`)
    }
  }
}

/**
 * A registry that is well, answers in four seconds, hangs, and is not there for so many minutes, while a jurisdiction asks it
 * and another does not: what intake and the other one have of it, as the ratio of the 95th percentiles, and whether all records
 * are right afterwards without anybody's doing.
 */
export async function outage({ minutes = MINUTES }: { readonly minutes?: number } = {}): Promise<void> {
  const registry = await startOutageRegistry()
  const deployment = await startDeployment()
  const client = new Client({ connectionString: deployment.url })
  try {
    await client.connect()
    await configure(deployment, registry)
    await Promise.all(await phase(deployment, 'well', 5000))
    const beside = Math.min(minutes, MOST_BESIDE) * MINUTE_MS
    const all: Promise<Sample>[] = []
    for (const way of WAYS) {
      await registry.become(way)
      all.push(...(await phase(deployment, way, way === 'down' ? minutes * MINUTE_MS : beside)))
    }
    await registry.become('well')
    await Promise.all(all)
    const before = await sentTo(client)
    const { ms, waited } = await untilRight(client, before)
    // Once more as before the outage: what differs between the two is the machine's.
    all.push(...(await phase(deployment, 'well', beside)))
    const samples = await Promise.all(all)
    await untilRight(client, await sentTo(client))
    tell(samples)
    console.log(
      `${before} records were sent to the one that asks until the registry was back, of which ${waited} waited then; ` +
        `all were right ${(ms / 1000).toFixed(0)} s later; ${registry.calls()} calls`
    )
  } finally {
    await client.end()
    await deployment.stop()
    await registry.stop()
  }
}
