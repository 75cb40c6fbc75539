import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { newId } from '../src/model/ids.ts'
import { copyLimit, type FinalRow } from './copy-limit.ts'
import { type Deployment, startDeployment, untilEnded } from './deployment.ts'
import { finalRows, median } from './final-rows.ts'
import { permitCsv, permitRows } from './permits.ts'

const MB = 1_000_000
const SIZES = [100 * MB, 1000 * MB]
const ROWS_AT_ONCE = 20_000

/** A CSV of at least this many bytes, written in pieces; answers how many rows it has. */
async function writeCsv(path: string, bytes: number, tag: string): Promise<number> {
  const file = await open(path, 'w')
  let rows = 0
  for (let size = 0; size < bytes; ) {
    const piece = permitCsv(permitRows(ROWS_AT_ONCE, `${tag}-${rows / ROWS_AT_ONCE}`, rows + 1))
    const part = rows === 0 ? piece : piece.subarray(piece.indexOf(10) + 1)
    await file.write(part)
    size += part.length
    rows += ROWS_AT_ONCE
  }
  await file.close()
  return rows
}

async function submit(deployment: Deployment, path: string): Promise<string> {
  const response = await fetch(`${deployment.address}/v1/batches?profile=permit&jurisdiction=53033`, {
    method: 'POST',
    headers: { ...deployment.headers, 'content-type': 'text/csv' },
    body: Readable.toWeb(createReadStream(path, { highWaterMark: 1024 * 1024 })) as ReadableStream,
    duplex: 'half'
  })
  const body = (await response.json()) as { id: string }
  if (response.status !== 202) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
  return body.id
}

/** Rows the limit is measured on, and how often. */
const LIMIT_ROWS = 100_000
const ROUNDS = 3

/** The rows over and over until they are so many, each time with other keys. */
function* again(rows: readonly FinalRow[], count: number): Generator<readonly FinalRow[]> {
  for (let made = 0; made < count; made += rows.length) {
    yield rows.slice(0, count - made).map(row => {
      const idempotencyKey = createHash('sha256').update(row.idempotencyKey).update(String(made)).digest()
      return { ...row, naturalKey: `${made}-${row.naturalKey}`, idempotencyKey, recordId: newId() }
    })
  }
}

/**
 * One CSV of 100 MB, then one of 1 GB, on one worker: rate and peak memory of each process after each of them, and the
 * limit of the main job on the same server afterwards, for 100,000 rows and for as many as the large file has.
 */
export async function scale(): Promise<void> {
  const deployment = await startDeployment()
  try {
    let rate = 0
    let rows = 0
    for (const bytes of SIZES) {
      const path = join(deployment.folder, `${bytes}.csv`)
      rows = await writeCsv(path, bytes, `s${bytes / MB}`)
      const { size } = await stat(path)
      const begun = performance.now()
      const id = await submit(deployment, path)
      const accepted = performance.now() - begun
      const batch = await untilEnded(deployment, id, 1000)
      const seconds = (performance.now() - begun) / 1000
      rate = rows / seconds
      console.log(`${(size / MB).toFixed(0)} MB, ${rows} rows; ended as ${JSON.stringify(batch.counts)}`)
      console.log(
        `  202 after ${(accepted / 1000).toFixed(1)} s; ${Math.round(rate)} records/s in ${Math.round(seconds)} s`
      )
      console.log(`  peak memory so far: API ${deployment.peakMb('api')} MB, worker ${deployment.peakMb('worker')} MB`)
    }
    await deployment.stopWorker()
    const final = await finalRows(deployment.url, LIMIT_ROWS)
    const limits: number[] = []
    for (let round = 0; round < ROUNDS; round++) limits.push(await copyLimit(deployment.url, [final]))
    const limit = median(limits)
    console.log(`limit ${Math.round(limit)} rows/s; end to end / limit ${(rate / limit).toFixed(3)}`)
    const many = await copyLimit(deployment.url, again(final, rows))
    console.log(`limit for as many rows ${Math.round(many)} rows/s; end to end / that ${(rate / many).toFixed(3)}`)
  } finally {
    await deployment.stop()
  }
}
