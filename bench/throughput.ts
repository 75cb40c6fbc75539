import { commitAlone } from './commit-alone.ts'
import { copyBareText, copyLimit } from './copy-limit.ts'
import { post, startDeployment, untilEnded } from './deployment.ts'
import { finalRows, median } from './final-rows.ts'
import { permitCsv, permitRows } from './permits.ts'

const COUNT = 100_000
const ROUNDS = 3

/**
 * 100,000 permits from one CSV through API and one worker, beside the limit in the same run: everything is measured on
 * the same server, one after another, the limit and the bare commit as medians of three.
 */
export async function throughput(): Promise<void> {
  const deployment = await startDeployment()
  try {
    const rows = permitRows(COUNT, 'run')
    const csv = permitCsv(rows)
    await untilEnded(deployment, (await post(deployment, permitCsv(permitRows(20_000, 'warm', 7)), 'text/csv')).id)
    const begun = performance.now()
    const { id, ms: accepted } = await post(deployment, csv, 'text/csv')
    const batch = await untilEnded(deployment, id)
    const ms = performance.now() - begun
    const rate = (COUNT / ms) * 1000
    const memory = { api: deployment.peakMb('api'), worker: deployment.peakMb('worker') }
    await deployment.stopWorker()
    const limits: number[] = []
    const bares: number[] = []
    const alones: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const final = await finalRows(deployment.url, COUNT, round)
      limits.push(await copyLimit(deployment.url, [final]))
      bares.push(await copyBareText(deployment.url, rows))
      alones.push(await commitAlone(deployment.url, final))
    }
    const alone = median(alones)
    const limit = median(limits)
    const per = (value: number): string => Math.round(value).toLocaleString('en')
    console.log(`rows ${COUNT}, ${(csv.length / 1e6).toFixed(1)} MB; ended as ${JSON.stringify(batch.counts)}`)
    console.log(`202 after ${Math.round(accepted)} ms; end to end ${per(rate)} records/s`)
    console.log(`limit (binary COPY, final form, 2 connections) ${per(limit)} rows/s [${limits.map(per).join(', ')}]`)
    console.log(`bare text COPY ${per(median(bares))} rows/s`)
    console.log(`end to end / limit ${(rate / limit).toFixed(3)}`)
    console.log(
      `commit of chunks alone ${per(alone)} rows/s [${alones.map(per).join(', ')}]; / limit ${(alone / limit).toFixed(3)}`
    )
    console.log(`peak memory: API ${memory.api} MB, worker ${memory.worker} MB`)
  } finally {
    await deployment.stop()
  }
}
