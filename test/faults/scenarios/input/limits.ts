import { CSV, END, filePart, sendRaw } from '../../../api/bodies.ts'
import { startSystem } from '../../harness/system.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, type Result, type Scenario } from '../scenario.ts'
import { requestTo } from './bad-input.ts'

const LIMITS = { file: 4000, request: 7000, parts: 3, record: 2000 }

/** One thing at its limit and one past it, as sent by hand. */
interface Edge {
  readonly name: string
  readonly send: (over: 0 | 1) => string | Buffer
  /** What one too much is answered, or what its record is held for. */
  readonly refused: number | string
}

const tableOf = (size: number): string => {
  const head = `submission_id,permit_type_code,parcel_id,project_valuation\nE-${size},roof,66-1,1.00\n`
  return head + '\n'.repeat(size - head.length)
}

/** One row of exactly so many bytes, its line end among them. */
const rowOf = (size: number): string => {
  const row = `R-${size},roof,66-1,1.00,`
  return `submission_id,permit_type_code,parcel_id,project_valuation,work_description\n${row}${'x'.repeat(size - row.length - 1)}\n`
}

const bodyOf = (size: number): string => {
  const [first, rest] = [filePart(tableOf(3000)), (n: number) => filePart(tableOf(n), 'b.csv') + END]
  const fixed = first.length + rest(3000).length
  return first + rest(3000 + size - fixed)
}

const EDGES: readonly Edge[] = [
  { name: 'bytes of a file', send: over => filePart(tableOf(LIMITS.file + over)) + END, refused: 413 },
  { name: 'bytes of a request', send: over => bodyOf(LIMITS.request + over), refused: 413 },
  {
    name: 'files of a request',
    send: over =>
      Array.from({ length: LIMITS.parts + over }, (_, i) =>
        filePart(`${CSV}Q-${over}${i},roof,1-1,1.00\n`, `${i}.csv`)
      ).join('') + END,
    refused: 413
  },
  { name: 'bytes of a record', send: over => filePart(rowOf(LIMITS.record + over)) + END, refused: 'RECORD_TOO_LARGE' }
]

async function edges(context: Context): Promise<Result> {
  const env = {
    DOCKET_MAX_FILE: String(LIMITS.file),
    DOCKET_MAX_REQUEST: String(LIMITS.request),
    DOCKET_MAX_PARTS: String(LIMITS.parts),
    DOCKET_MAX_RECORD: String(LIMITS.record)
  }
  const system = await startSystem(context.world, { env })
  const expect = expecting()
  const table: string[] = []
  const fate = async (body: string | Buffer): Promise<string> => {
    const { status, body: text } = await sendRaw(requestTo(system), body)
    if (status !== 202) return String(status)
    await system.drained(60)
    const { rows } = await system.pool.query<{ code: string }>(
      `select distinct r ->> 'code' as code from record cross join lateral jsonb_array_elements(reasons) r
       where batch_id = $1 and state <> 'accepted'`,
      [(JSON.parse(text) as { id: string }).id]
    )
    return ['202', ...rows.map(({ code }) => code)].join(' ')
  }
  try {
    for (const { name, send, refused } of EDGES) {
      const [at, over] = [await fate(send(0)), await fate(send(1))]
      table.push(`${name} ${at} / ${over}`)
      expect.is(at === '202', `${name}, at the limit: ${at}`)
      expect.is(
        typeof refused === 'number' ? over === String(refused) : over.includes(refused),
        `${name}, one more: ${over}`
      )
    }
    const verdict = await finish(context, system, new History(), { ignoreUnknown: true, ignorePlanted: true })
    return { figures: { 'at / over': table.join('; ') }, verdict, faults: expect.faults }
  } finally {
    await system.stop()
  }
}

/** B-4. */
export const limits: Scenario = {
  id: 'B-4',
  title: 'every limit exactly, and one past it',
  short: {},
  full: {},
  run: edges
}
