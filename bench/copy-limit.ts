import { once } from 'node:events'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A record as it ends in `canonical_record`: what the limit writes. */
export interface FinalRow {
  readonly naturalKey: string
  readonly idempotencyKey: Buffer
  readonly recordId: string
  readonly batchId: string
  readonly item: number
  readonly content: string
}

const JURISDICTION = Buffer.from('53033')
const PROFILE = Buffer.from('permit')
/** 2024-01-01 in microseconds since 2000-01-01, as the binary format counts. */
const RECEIVED = 757_382_400_000_000n
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const TRAILER = Buffer.from([0xff, 0xff])
const JSONB_VERSION = Buffer.from([1])

const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

function tuple(fields: readonly Buffer[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeInt16BE(fields.length)
  return Buffer.concat([count, ...fields.flatMap(field => [int32(field.length), field])])
}

const encode = (row: FinalRow): Buffer =>
  tuple([
    JURISDICTION,
    PROFILE,
    Buffer.from(row.naturalKey),
    int32(1),
    row.idempotencyKey,
    uuidBytes(row.recordId),
    int64(RECEIVED),
    uuidBytes(row.batchId),
    int32(1),
    int32(row.item),
    Buffer.concat([JSONB_VERSION, Buffer.from(row.content)]),
    int64(RECEIVED)
  ])

async function copy(client: Client, statement: string, parts: readonly Buffer[]): Promise<void> {
  const stream = client.query(copyFrom(statement))
  stream.end(Buffer.concat(parts))
  await once(stream, 'finish')
}

async function overConnections(url: string, count: number, work: (client: Client, n: number) => Promise<void>) {
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    })
  )
  const begun = performance.now()
  await Promise.all(clients.map(work))
  const ms = performance.now() - begun
  await Promise.all(clients.map(client => client.end()))
  return ms
}

const PER_TRANSACTION = 500
const CONNECTIONS = 2

/**
 * The limit: binary COPY of the rows in final form over two connections, 500 rows a transaction, into one logged table
 * with `canonical_record`'s columns and unique index, no audit. Encoding is part of it, as it is of every commit.
 * Answers rows per second. The rows come in sets; making them is not counted.
 */
export async function copyLimit(url: string, sets: Iterable<readonly FinalRow[]>): Promise<number> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  await admin.query(
    'drop table if exists bench_limit; create table bench_limit (like canonical_record including indexes)'
  )
  await admin.query('checkpoint')
  let ms = 0
  let count = 0
  for (const rows of sets) {
    count += rows.length
    ms += await overConnections(url, CONNECTIONS, async (client, n) => {
      for (let i = n * PER_TRANSACTION; i < rows.length; i += CONNECTIONS * PER_TRANSACTION) {
        const parts = rows.slice(i, i + PER_TRANSACTION).map(encode)
        await copy(client, 'copy bench_limit from stdin (format binary)', [HEADER, ...parts, TRAILER])
      }
    })
  }
  await admin.query('drop table bench_limit')
  await admin.end()
  return (count / ms) * 1000
}

/** COPY of the cells as text into a bare table without index, same connections and transactions. Rows per second. */
export async function copyBareText(url: string, rows: readonly (readonly string[])[]): Promise<number> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const columns = rows[0]?.map((_, i) => `c${i} text`).join(', ') ?? ''
  await admin.query(`drop table if exists bench_bare; create table bench_bare (${columns})`)
  await admin.query('checkpoint')
  const ms = await overConnections(url, CONNECTIONS, async (client, n) => {
    for (let i = n * PER_TRANSACTION; i < rows.length; i += CONNECTIONS * PER_TRANSACTION) {
      const text = rows.slice(i, i + PER_TRANSACTION).map(row => `${row.join('\t')}\n`)
      await copy(client, 'copy bench_bare from stdin', [Buffer.from(text.join(''))])
    }
  })
  await admin.query('drop table bench_bare')
  await admin.end()
  return (rows.length / ms) * 1000
}
