import { CONTENT_REASONS } from '../../../../src/model/reasons/content-reasons.ts'
import { RECORD_REASONS } from '../../../../src/model/reasons/record-reasons.ts'
import { END, filePart, part, type RawRequest, sendRaw } from '../../../api/bodies.ts'
import { JURISDICTION, KEY, type System, startSystem } from '../../harness/system.ts'
import { HEADERS } from '../../load/client.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, Longest, round, type Scenario } from '../scenario.ts'
import { mutatedBody, mutatedFile } from './mutations.ts'

/** What a body that is no good may be answered; all others are faults. */
const ANSWERS = new Set([202, 400, 408, 413, 415, 422])

class Tally {
  private readonly counts = new Map<string, number>()

  add(name: string | number): void {
    this.counts.set(String(name), (this.counts.get(String(name)) ?? 0) + 1)
  }

  get(name: string | number): number {
    return this.counts.get(String(name)) ?? 0
  }

  /** Names that are none of these. */
  besides(known: ReadonlySet<string | number>): string[] {
    return [...this.counts.keys()].filter(name => !known.has(name) && !known.has(Number(name)))
  }

  toString(): string {
    return [...this.counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, n]) => `${name}: ${n}`)
      .join(', ')
  }
}

/** Does it so many times, a few at once. */
async function times(n: number, atOnce: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    while (next < n) {
      const at = next
      next += 1
      await work(at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}

const deathsOf = ({ api, workers }: System): string[] => [api, ...workers].flatMap(one => one.ends)

async function reasonsOf({ pool }: System): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ code: string; n: number }>(
    `select r ->> 'code' as code, count(*)::int as n from record cross join lateral jsonb_array_elements(reasons) r
     where state <> 'accepted' group by 1 order by 2 desc`
  )
  return new Map(rows.map(({ code, n }) => [code, n]))
}

/** B-1. */
export const mutatedFiles: Scenario = {
  id: 'B-1',
  title: 'files of rows and documents, mutated at random: each is refused, or ends with reasons from the list',
  short: { files: 300, documents: 12 },
  full: { files: 9500, documents: 500 },
  async run(context) {
    const { world, chance, size } = context
    const { files = 0, documents = 0 } = size
    const system = await startSystem(world, { env: { DOCKET_DOCUMENT_SECONDS: '10', DOCKET_DOCUMENT_MEMORY: '512' } })
    const statuses = new Tally()
    const slowest = new Longest()
    try {
      await times(files + documents, 4, async at => {
        const { bytes, profile, path } = mutatedFile(chance.fork(`file-${at}`), at >= files)
        const body = new FormData()
        body.append('file', new Blob([new Uint8Array(bytes)]), path.split('/').at(-1))
        const begun = performance.now()
        for (;;) {
          const response = await fetch(
            `${system.address()}/v1/batches?profile=${profile}&jurisdiction=${JURISDICTION}`,
            {
              method: 'POST',
              headers: { ...HEADERS, 'idempotency-key': `${chance.seed}-mutated-${at}` },
              body,
              signal: AbortSignal.timeout(60_000)
            }
          )
          await response.arrayBuffer()
          if (response.status !== 429) {
            statuses.add(response.status)
            break
          }
          await system.drained(600)
        }
        slowest.take((performance.now() - begun) / 1000)
      })
      const seconds = await system.drained(1800)
      const reasons = await reasonsOf(system)
      const known = new Set<string | number>([...Object.keys(CONTENT_REASONS), ...Object.keys(RECORD_REASONS)])
      const ends = deathsOf(system)
      const verdict = await finish(context, system, new History(), { ignoreUnknown: true, ignorePlanted: true })
      const expect = expecting()
      const strange = statuses.besides(ANSWERS)
      const unlisted = [...reasons.keys()].filter(code => !known.has(code))
      const crashes = ['PROCESSING_CRASH', 'INTERNAL_ERROR'].filter(code => reasons.has(code))
      expect.is(strange.length === 0, `answers were ${strange.join(', ')} too`)
      expect.is(unlisted.length === 0, `reasons that are in no list: ${unlisted.join(', ')}`)
      expect.is(crashes.length === 0, `held for faults of ours: ${crashes.join(', ')}`)
      expect.is(reasons.size > 5, `${reasons.size} kinds of reasons were given`)
      expect.is(ends.length === 0, `${ends.length} processes ended, the first: ${ends[0]}`)
      return {
        figures: {
          files: files + documents,
          answers: String(statuses),
          'longest answer s': round(slowest.most),
          'worked after s': round(seconds),
          reasons: [...reasons].map(([code, n]) => `${code} ${n}`).join(', ')
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}

const PATH = `/v1/batches?profile=permit&jurisdiction=${JURISDICTION}`
/** A submission over a line of its own. */
export const requestTo = (system: System): RawRequest => ({
  port: Number(new URL(system.address()).port),
  key: KEY,
  path: PATH
})

/** B-2. */
export const mutatedBodies: Scenario = {
  id: 'B-2',
  title: 'multipart bodies whose framing is hurt at random',
  short: { bodies: 500 },
  full: { bodies: 10_000 },
  async run(context) {
    const { world, chance, size } = context
    const { bodies = 0 } = size
    const system = await startSystem(world)
    const statuses = new Tally()
    const slowest = new Longest()
    try {
      await times(bodies, 8, async at => {
        const own = chance.fork(`body-${at}`)
        const rows = `submission_id,permit_type_code,parcel_id,project_valuation\nB-${at},roof,66-1,1.00\n`
        const whole = part('name="source"', 'portal') + filePart(rows) + filePart(`a,b\n${at},2\n`, 'b.csv') + END
        const begun = performance.now()
        const { status } = await sendRaw(requestTo(system), mutatedBody(own, whole))
        slowest.take((performance.now() - begun) / 1000)
        statuses.add(status)
      })
      await system.drained(600)
      const ends = deathsOf(system)
      const health = (await fetch(`${system.address()}/healthz`)).status
      const verdict = await finish(context, system, new History(), { ignoreUnknown: true, ignorePlanted: true })
      const expect = expecting()
      const strange = statuses.besides(ANSWERS)
      expect.is(strange.length === 0, `answers were ${strange.join(', ')} too`)
      expect.is(statuses.get(202) > 0 && statuses.get(400) > 0, 'some were still whole, some were not')
      expect.is(slowest.most <= 30, `one waited ${slowest.most.toFixed(0)} s for its answer`)
      expect.is(health === 200 && ends.length === 0, `${ends.length} processes ended`)
      return {
        figures: { bodies, answers: String(statuses), 'longest answer s': round(slowest.most) },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}

/** B-3. */
export const truncations: Scenario = {
  id: 'B-3',
  title: 'an upload that ends at any of its bytes: the line does, or the length says so',
  short: { bytes: 20_000, every: 67 },
  full: { bytes: 20_000, every: 1 },
  async run(context) {
    const { world, size } = context
    const { bytes = 0, every = 1 } = size
    const system = await startSystem(world)
    const [cut, short] = [new Tally(), new Tally()]
    try {
      const lines = Array.from({ length: Math.ceil(bytes / 40) }, (_, i) => `T-${i},roof,66-${i},${i}.00,,,,,,,,,,,`)
      const rows = `submission_id,permit_type_code,parcel_id,project_valuation\n${lines.join('\n')}`.slice(
        0,
        bytes - 200
      )
      const whole = Buffer.from(part('name="source"', 'portal') + filePart(rows) + END, 'latin1')
      // The last line end is no part of what has to be there.
      const last = whole.length - '\r\n'.length
      const cases = Math.ceil(last / every)
      await times(cases, 8, async at => {
        const here = whole.subarray(0, at * every)
        const request = requestTo(system)
        cut.add((await sendRaw({ ...request, length: whole.length, halfClose: true }, here)).status)
        short.add((await sendRaw(request, here)).status)
      })
      const { rows: batches } = await system.pool.query<{ n: number }>('select count(*)::int as n from batch')
      const intact = await sendRaw(requestTo(system), whole)
      const ends = deathsOf(system)
      const verdict = await finish(context, system, new History(), { ignoreUnknown: true, ignorePlanted: true })
      const expect = expecting()
      const strange = [...cut.besides(new Set([0, 400, 408])), ...short.besides(new Set([400, 415, 422]))]
      expect.is(batches[0]?.n === 0, `${batches[0]?.n} batches were made of parts`)
      expect.is(strange.length === 0, `answers were ${strange.join(', ')} too`)
      expect.is(intact.status === 202, `the whole of it was answered ${intact.status}`)
      expect.is(ends.length === 0, `${ends.length} processes ended`)
      return {
        figures: {
          cases: 2 * cases,
          'line cut': String(cut),
          'length short': String(short),
          accepted: batches[0]?.n ?? 0
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
