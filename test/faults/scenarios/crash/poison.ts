import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type System, startSystem } from '../../harness/system.ts'
import { descendantsOf, signal } from '../../harness/victims.ts'
import { waitFor } from '../../harness/wait.ts'
import { submit } from '../../load/client.ts'
import { document, type Submission, stamped } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, round, type Scenario } from '../scenario.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/extract/hostile')
const SAMPLES = join(import.meta.dirname, '../../../../samples')
const PDF = 'application/pdf'
const MOST_LAUNCHES = 3

function poison(path: string, tag: string): Submission {
  const bytes = stamped(readFileSync(path), PDF, tag)
  const rest = { records: 1, invalid: 0, repeated: 0 } as const
  return { profile: 'policy', kind: 'document', type: PDF, filename: `${tag}.pdf`, bytes, ...rest }
}

interface Deadly {
  readonly submission: Submission
  /** What is killed while it is being read; nothing where it does that by itself. */
  readonly victim?: 'reader' | 'worker'
  /** What its record is held for. */
  readonly codes: readonly string[]
}

function deadlyOnes({ chance }: Context): Deadly[] {
  const ordinary = join(SAMPLES, 'policies/auto-unusual-order.pdf')
  return [
    {
      submission: poison(join(FIXTURES, 'cid_widths_bomb.pdf'), `${chance.seed}-memory`),
      codes: ['EXTRACTION_MEMORY']
    },
    {
      submission: poison(join(FIXTURES, 'xobject_exponential.pdf'), `${chance.seed}-endless`),
      codes: ['EXTRACTION_TIMEOUT', 'EXTRACTION_MEMORY']
    },
    {
      submission: poison(ordinary, `${chance.seed}-reader`),
      victim: 'reader',
      // By SIGKILL, as the kernel ends what takes too much memory.
      codes: ['EXTRACTION_CRASH', 'EXTRACTION_MEMORY']
    },
    {
      submission: poison(ordinary, `${chance.seed}-worker`),
      victim: 'worker',
      codes: ['PROCESSING_CRASH', 'EXTRACTION_CRASH']
    }
  ]
}

/** Folders of processes that have these bytes before them at this moment, each with the worker that it belongs to. */
function readingNow(system: System, { bytes }: Submission): { readonly folder: string; readonly worker: number }[] {
  return globSync(`work/*/extract/extract-*/*`, { cwd: system.folder }).flatMap(path => {
    const [, worker, folder = ''] = /extract\/(?=extract-(\d+)-)([^/]+)\//.exec(path) ?? []
    try {
      return readFileSync(join(system.folder, path)).equals(bytes) ? [{ folder, worker: Number(worker) }] : []
    } catch {
      // Gone meanwhile, or a folder.
      return []
    }
  })
}

/** Kills what reads a document, each time that it is read, until it is over. Answers how often that was. */
function ambush(system: System, { submission, victim }: Deadly): { stop(): Promise<number> } {
  const state = { over: false }
  const killed = new Set<number>()
  const strike = (): void => {
    for (const { folder, worker } of readingNow(system, submission)) {
      const own = system.workers.find(({ pid, alive }) => alive && pid === worker)
      if (!own) continue
      const readers = descendantsOf(worker).filter(one => one.command.includes(folder))
      if (victim === 'worker' && own.kill()) killed.add(worker)
      const shot = victim === 'reader' ? readers.filter(({ pid }) => signal(pid, 'SIGKILL')) : []
      for (const { pid } of shot) killed.add(pid)
    }
  }
  const running = (async () => {
    while (!state.over && !system.isStopped()) {
      strike()
      await delay(20)
    }
  })()
  return {
    async stop() {
      state.over = true
      await running
      return killed.size
    }
  }
}

const DONE = `select 1 from batch where id = any($1) and state = 'completed'`

async function completed(system: System, ids: readonly string[], seconds: number): Promise<void> {
  await waitFor('documents', seconds, async () => (await system.pool.query(DONE, [ids])).rowCount === ids.length)
}

/** Seconds for so many ordinary documents; their ids. */
async function neighbours(context: Context, system: System, history: History, name: string) {
  const { chance, size } = context
  const begun = performance.now()
  const ids: string[] = []
  for (let at = 0; at < (size['documents'] ?? 0); at += 1) {
    const own = chance.fork(`neighbour-${at}`)
    const options = { name, address: system.address, history, chance: own, tries: 10 }
    ids.push(
      ...(await submit(options, `${chance.seed}-${name}-${at}`, document(own, `${chance.seed}${name}${at}`))).batchIds
    )
  }
  await completed(system, ids, 900)
  return { ids, seconds: (performance.now() - begun) / 1000 }
}

const STATES = `select r.state, r.reasons from record r join batch b on b.id = r.batch_id
  where b.id = any($1) order by array_position($1, b.id)`

async function statesOf({ pool }: System, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ state: string; reasons: { code: string }[] }>(STATES, [ids])
  return rows.map(({ state, reasons }) => [state, ...reasons.map(({ code }) => code)].join(' '))
}

/** C-7. */
export const poisonDocuments: Scenario = {
  id: 'C-7',
  title: 'documents that end what reads them each time, the reading process or its worker',
  short: { documents: 6 },
  full: { documents: 150 },
  async run(context) {
    const { world, chance, size } = context
    const system = await startSystem(world, {
      workers: 2,
      env: { DOCKET_DOCUMENT_SECONDS: '6', DOCKET_DOCUMENT_MEMORY: '256' }
    })
    const history = new History()
    try {
      const alone = await neighbours(context, system, history, 'alone')
      const deadly = deadlyOnes(context)
      const kills: number[] = []
      const held: string[] = []
      const launches: number[] = []
      let beside: typeof alone | undefined
      const fates = (async () => {
        for (const one of deadly) {
          const trap = one.victim ? ambush(system, one) : undefined
          const options = { name: 'poison', address: system.address, history, chance, tries: 10 }
          const { batchIds } = await submit(options, one.submission.filename, one.submission)
          await completed(system, [...batchIds], 300)
          kills.push((await trap?.stop()) ?? 0)
          held.push(...(await statesOf(system, [...batchIds])))
          const { rows } = await system.pool.query<{ n: number }>(
            `select greatest(max(c.launches), max(x.launches))::int as n from chunk c join file f on f.id = c.file_id
             left join extraction x on x.sha256 = f.sha256 where c.batch_id = any($1)`,
            [[...batchIds]]
          )
          launches.push(rows[0]?.n ?? 0)
        }
      })()
      ;[beside] = await Promise.all([neighbours(context, system, history, 'beside'), fates])
      const [before, after] = [await statesOf(system, alone.ids), await statesOf(system, beside.ids)]
      const differing = before.filter((state, i) => state !== after[i]).length
      const verdict = await finish(context, system, history)
      const kept = (100 * alone.seconds) / beside.seconds
      const expect = expecting()
      for (const [i, { codes, submission }] of deadly.entries()) {
        const fate = held[i] ?? 'nothing'
        expect.is(
          fate.startsWith('quarantined') && codes.some(code => fate.includes(code)),
          `${submission.filename} ended as ${fate}`
        )
        // The launch that finds it spent is one more.
        expect.is((launches[i] ?? 0) <= MOST_LAUNCHES + 1, `${submission.filename} took ${launches[i]} launches`)
      }
      expect.is(
        deadly.every(({ victim }, i) => !victim || (kills[i] ?? 0) > 0),
        'what was to be killed was'
      )
      expect.is(differing === 0, `${differing} of ${before.length} neighbours ended otherwise than alone`)
      expect.is((size['documents'] ?? 0) < 100 || kept >= 95, `neighbours kept ${kept.toFixed(0)} % of their rate`)
      return {
        figures: {
          'poison held': held.filter(fate => fate.startsWith('quarantined')).length,
          fates: held.map(fate => fate.split(' ').slice(1).join('+')).join(', '),
          launches: launches.join(', '),
          kills: kills.join(', '),
          neighbours: before.length,
          'their rate kept %': round(kept, 0)
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
