import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Chance } from '../../harness/random.ts'
import { JURISDICTION, type System, startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { HEADERS, submit } from '../../load/client.ts'
import { permits, type Submission } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, type Scenario } from '../scenario.ts'

/** The same permits with other values, their rows the other way round when asked for. */
function versionOf(chance: Chance, tag: string, rows: number, isReversed: boolean): Submission {
  const whole = permits(chance, tag, rows)
  if (!isReversed) return whole
  const [header = '', ...lines] = whole.bytes.toString('utf8').trimEnd().split('\n')
  return { ...whole, bytes: Buffer.from(`${[header, ...lines.toReversed()].join('\n')}\n`) }
}

async function completed(system: System, ids: readonly string[], seconds: number): Promise<void> {
  await waitFor('both batches', seconds, async () => {
    const { rowCount } = await system.pool.query(`select 1 from batch where id = any($1) and state = 'completed'`, [
      ids
    ])
    return rowCount === ids.length
  })
}

const clientOf = ({ chance }: Context, system: System, history: History, name: string) =>
  ({ name, address: system.address, history, chance: chance.fork(name), tries: 20 }) as const

/** Two files of the same permits at one moment, their rows in opposite orders; answers how many versions are not 1 and 2. */
async function raceFiles(context: Context, system: System, history: History, round: number): Promise<number> {
  const { chance, size } = context
  const tag = `${chance.seed}W${round}`
  const sent = await Promise.all(
    [false, true].map((isReversed, i) =>
      submit(
        clientOf(context, system, history, `writer-${i}`),
        `${tag}-${i}`,
        versionOf(chance.fork(`${tag}${i}`), tag, size['rows'] ?? 40, isReversed)
      )
    )
  )
  await completed(
    system,
    sent.flatMap(({ batchIds }) => [...batchIds]),
    120
  )
  const { rows } = await system.pool.query<{ n: number }>(
    `select count(*)::int as n from (select array_agg(version order by version) as versions, count(distinct batch_id) as batches
       from canonical_record where natural_key like $1 group by natural_key) v
     where versions <> array[1, 2] or batches <> 2`,
    [`%${tag}-%`]
  )
  return rows[0]?.n ?? 0
}

/** Two clerks decide about one record at one moment; answers what they were told, in order. */
async function raceClerks(context: Context, system: System, history: History, round: number): Promise<number[]> {
  const { chance } = context
  const tag = `${chance.seed}K${round}`
  const operation = await submit(clientOf(context, system, history, 'clerks'), tag, permits(chance.fork(tag), tag, 97))
  await completed(system, [...operation.batchIds], 120)
  const { rows } = await system.pool.query<{ id: string; revision: number }>(
    `select id, revision from record where batch_id = any($1) and state = 'quarantined'`,
    [[...operation.batchIds]]
  )
  const [held] = rows
  if (!held) throw new Error('no record was held')
  const decide = async (parcel: string): Promise<number> => {
    const response = await fetch(`${system.address()}/v1/quarantine/${held.id}/release`, {
      method: 'POST',
      headers: { ...HEADERS, 'if-match': `"${held.revision}"`, 'content-type': 'application/json' },
      body: JSON.stringify({ corrections: { parcel_id: parcel } })
    })
    await response.arrayBuffer()
    return response.status
  }
  return (await Promise.all([decide('22-1'), decide('22-2')])).toSorted((a, b) => a - b)
}

/** What a round is done with. */
interface Parts {
  readonly context: Context
  readonly system: System
  readonly history: History
}

/** Rows that somebody else holds while a second version of them is committed. */
async function heldHeads(outsider: Client, { context, system, history }: Parts, name: string): Promise<string[]> {
  const { chance } = context
  const tag = `${chance.seed}${name}`
  const client = clientOf(context, system, history, name)
  const first = await submit(client, `${tag}-1`, permits(chance.fork(`${tag}1`), tag, 5))
  await completed(system, [...first.batchIds], 120)
  await outsider.query('begin')
  // A key has a head from its second version on: what is held is the row that this one is made from, and the right to make it.
  await outsider.query('lock table canonical_head in exclusive mode')
  const second = await submit(client, `${tag}-2`, permits(chance.fork(`${tag}2`), tag, 5))
  const ids = [...second.batchIds]
  await waitFor('the commit to wait', 60, async () => {
    const { rowCount } = await system.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'docket-worker' and wait_event_type = 'Lock'`
    )
    return (rowCount ?? 0) > 0
  })
  return ids
}

async function deadlocksOf({ pool }: System): Promise<number> {
  await pool.query('select pg_stat_clear_snapshot()')
  const { rows } = await pool.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()'
  )
  return rows[0]?.n ?? 0
}

/** D-6. */
export const twoWriters: Scenario = {
  id: 'D-6',
  title: 'two writers of one subject at once, deadlocks, and locks that are not to be had',
  // Below the number of rows at which one is planted as wrong: whatever is held is held for the race.
  short: { rounds: 4, rows: 40, deadlocks: 1, timeouts: 0 },
  full: { rounds: 50, rows: 80, deadlocks: 10, timeouts: 2 },
  async run(context) {
    const { world, size } = context
    const { rounds = 0, deadlocks = 0, timeouts = 0 } = size
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    const outsider = new Client({ connectionString: system.url })
    outsider.on('error', () => undefined)
    const told: string[] = []
    let disorder = 0
    try {
      await outsider.connect()
      // Whoever looks for a deadlock first is the one that is ended: never this one.
      await outsider.query(`set deadlock_timeout = '1h'`)
      for (let round = 0; round < rounds; round += 1) {
        disorder += await raceFiles(context, system, history, round)
        told.push((await raceClerks(context, system, history, round)).join('+'))
      }
      for (let at = 0; at < deadlocks; at += 1) {
        const ids = await heldHeads(outsider, { context, system, history }, `dead${at}`)
        // The commit holds its chunk and waits for us; now we wait for its chunk.
        await outsider.query('select 1 from chunk where batch_id = any($1) for update', [ids])
        await outsider.query('rollback')
        await completed(system, ids, 120)
      }
      const found = await deadlocksOf(system)
      for (let at = 0; at < timeouts; at += 1) {
        const ids = await heldHeads(outsider, { context, system, history }, `late${at}`)
        // Longer than a worker waits for a lock.
        await delay(22_000)
        await outsider.query('rollback')
        await completed(system, ids, 180)
      }
      const { rows } = await system.pool.query<{ n: number }>(
        `select count(*)::int as n from record where jurisdiction = $1 and state <> 'accepted'`,
        [JURISDICTION]
      )
      const verdict = await finish(context, system, history, { ignorePlanted: true })
      const expect = expecting()
      const others = told.filter(one => one !== '200+412' && one !== '200+409')
      expect.is(disorder === 0, `${disorder} permits do not have the versions 1 and 2, one of each file`)
      expect.is(others.length === 0, `of two clerks: ${others.join(', ')}`)
      expect.is(found >= deadlocks, `${found} of ${deadlocks} deadlocks came to be`)
      expect.is(rows[0]?.n === 0, `${rows[0]?.n} records are held`)
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      return {
        figures: {
          rounds,
          'permits out of order': disorder,
          'clerks told': [...new Set(told)].join(', '),
          'deadlocks retried': found,
          'lock timeouts': timeouts
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await outsider.end().catch(() => undefined)
      await system.stop()
    }
  }
}
