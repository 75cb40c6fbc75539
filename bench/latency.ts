import { type Deployment, percentile, post, startDeployment, untilEnded } from './deployment.ts'
import { permitCsv, permitRows } from './permits.ts'

const SINGLES = 1000
const MINUTE_MS = 60_000
const CLIENTS = 20
const PER_CLIENT = 5
const CSV_BYTES = 1_000_000

const ms = (value: number): string => `${Math.round(value)} ms`

/** 1,000 POSTs of one record each, evenly over a minute: when each is answered, and when its batch has ended. */
async function singles(deployment: Deployment): Promise<void> {
  const rows = permitRows(SINGLES, 'single', 11)
  const accepts: number[] = []
  const ends: number[] = []
  const begun = performance.now()
  const one = async (i: number): Promise<void> => {
    const due = begun + (i * MINUTE_MS) / SINGLES
    await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())))
    const sent = performance.now()
    const { id, ms: accepted } = await post(deployment, permitCsv([rows[i] ?? []]), 'text/csv')
    accepts.push(accepted)
    await untilEnded(deployment, id, 100)
    ends.push(performance.now() - sent)
  }
  await Promise.all(Array.from({ length: SINGLES }, (_, i) => one(i)))
  console.log(`${SINGLES} single-record POSTs in ${Math.round((performance.now() - begun) / 1000)} s`)
  console.log(`  202: p50 ${ms(percentile(accepts, 0.5))}, p99 ${ms(percentile(accepts, 0.99))}`)
  console.log(`  until terminal: p50 ${ms(percentile(ends, 0.5))}, p99 ${ms(percentile(ends, 0.99))}`)
}

/** 20 clients at once, each posting 1 MB files, while the worker works off what they send. */
async function uploads(deployment: Deployment): Promise<void> {
  const times: number[] = []
  const ids: string[] = []
  // Made beforehand: making a file would hold up the clients that share this process.
  const files = Array.from({ length: CLIENTS * PER_CLIENT }, (_, n) => {
    const csv = permitCsv(permitRows(5500, `up${n}`, n)).subarray(0, CSV_BYTES)
    return csv.subarray(0, csv.lastIndexOf(10) + 1)
  })
  const client = async (n: number): Promise<void> => {
    for (const csv of files.slice(n * PER_CLIENT, (n + 1) * PER_CLIENT)) {
      const { id, ms: taken } = await post(deployment, csv, 'text/csv')
      times.push(taken)
      ids.push(id)
    }
  }
  await untilEnded(deployment, (await post(deployment, permitCsv(permitRows(100, 'w')), 'text/csv')).id)
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))
  console.log(`1 MB CSV, ${CLIENTS} clients at once, worker busy, ${times.length} uploads`)
  console.log(`  202: p50 ${ms(percentile(times, 0.5))}, p99 ${ms(percentile(times, 0.99))}`)
  await Promise.all(ids.map(id => untilEnded(deployment, id, 500)))
  console.log(`  peak memory: API ${deployment.peakMb('api')} MB, worker ${deployment.peakMb('worker')} MB`)
}

/** Latencies of intake, on a fresh deployment. */
export async function latency(): Promise<void> {
  const deployment = await startDeployment()
  try {
    await singles(deployment)
    await uploads(deployment)
  } finally {
    await deployment.stop()
  }
}
