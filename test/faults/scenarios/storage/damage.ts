import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { verify } from '../../../../src/audit/verify/verify.ts'
import { newId } from '../../../../src/model/ids.ts'
import { createFileStore } from '../../../../src/storage/file-store.ts'
import { JURISDICTION, type System, startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { sendOnce, submit } from '../../load/client.ts'
import { document, permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, type Result, round, type Scenario, secondsUntilTaken } from '../scenario.ts'

async function heldFor(system: System, code: string): Promise<number> {
  const { rows } = await system.pool.query<{ n: number }>(
    `select count(distinct file_id)::int as n from record where state = 'quarantined' and reasons @> $1::jsonb`,
    [JSON.stringify([{ code }])]
  )
  return rows[0]?.n ?? 0
}

/** Sends so many files while the worker sleeps; answers the paths of their payloads. */
async function sendUnworked(context: Context, system: System, history: History, files: number): Promise<string[]> {
  const { chance } = context
  for (const worker of system.workers) worker.kill('SIGSTOP')
  for (let at = 0; at < files; at += 1) {
    const tag = `${chance.seed}N${at}`
    const what = at % 5 === 0 ? document(chance, tag) : permits(chance, tag, 20)
    await submit({ name: 'client', address: system.address, history, chance, tries: 5 }, `${chance.seed}-${at}`, what)
  }
  const { rows } = await system.pool.query<{ uri: string }>('select payload_uri as uri from file order by id')
  return rows.map(({ uri }) => join(system.payloads, uri.slice('file:'.length)))
}

async function verified(system: System): Promise<Set<string>> {
  const store = await createFileStore({ folder: system.payloads, newId })
  const { offenders } = await verify({ pool: system.pool, store, payloads: true })
  return new Set(offenders.flatMap(({ check, count }) => Array.from({ length: count }, (_, i) => `${check} ${i}`)))
}

/** Damages a payload; answers whether what records are read from is hurt: the first line of a file of rows is not. */
type Damage = (path: string, context: Context) => boolean

/** Damages every payload before it is read, and sees that each is found and nothing of what was hurt is committed. */
async function damaged(context: Context, damage: Damage): Promise<Result> {
  const { world, size } = context
  const { files = 0 } = size
  const system = await startSystem(world)
  const history = new History()
  try {
    const paths = await sendUnworked(context, system, history, files)
    const kept = new Map(paths.map(path => [path, readFileSync(path)]))
    const hurt = paths.map(path => damage(path, context)).filter(Boolean).length
    const scrubbed = [...(await verified(system))].filter(name => name.startsWith('payload')).length
    for (const worker of system.workers) worker.kill('SIGCONT')
    await system.drained(300)
    const held = await heldFor(system, 'PAYLOAD_DAMAGED')
    const { rows } = await system.pool.query<{ n: number }>(
      `select count(distinct file_id)::int as n from record where state = 'accepted'`
    )
    const deaths = [system.api, ...system.workers].reduce((sum, one) => sum + one.deaths, 0)
    // Put right again, so that the checker finds nothing else to be wrong.
    for (const [path, bytes] of kept) writeFileSync(path, bytes)
    const verdict = await finish(context, system, history, { ignorePlanted: true })
    const expect = expecting()
    expect.is(scrubbed === files, `docket verify found ${scrubbed} of ${files}`)
    expect.is(held === hurt, `${held} of ${hurt} files were held as damaged`)
    expect.is(rows[0]?.n === files - hurt, `of ${rows[0]?.n} damaged files something was accepted`)
    expect.is(deaths === 0, `${deaths} processes ended`)
    return {
      figures: {
        files,
        'found by verify': scrubbed,
        'hurt in their records': hurt,
        'held as damaged': held,
        'files accepted': rows[0]?.n ?? 0,
        'detected %': round((100 * scrubbed) / files)
      },
      verdict,
      faults: expect.faults
    }
  } finally {
    await system.stop()
  }
}

/** S-5. */
export const bitRot: Scenario = {
  id: 'S-5',
  title: 'one bit of every payload flips before it is read',
  short: { files: 20 },
  full: { files: 1000 },
  run: context =>
    damaged(context, (path, { chance }) => {
      const bytes = readFileSync(path)
      const at = chance.below(bytes.length)
      // The names of columns were read when the file came; of a document every byte counts.
      const isHurt = bytes.indexOf('submission_id,') !== 0 || at > bytes.indexOf('\n')
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8))
      writeFileSync(path, bytes)
      return isHurt
    })
}

/** S-6. */
export const lostPayloads: Scenario = {
  id: 'S-6',
  title: 'payloads are deleted, renamed or torn before they are read',
  short: { files: 15 },
  full: { files: 300 },
  run: context =>
    damaged(context, (path, { chance, world }) => {
      const what = chance.below(3)
      if (what === 0) rmSync(path)
      else if (what === 1) renameSync(path, join(world.folder, `moved-${basename(path)}`))
      else writeFileSync(path, readFileSync(path).subarray(0, chance.below(100)))
      return true
    })
}

/** S-6, the other half: the store itself cannot be used. */
export const brokenStore: Scenario = {
  id: 'S-6b',
  title: 'the spool is no folder any more, and files cannot be opened for want of descriptors',
  short: { uploads: 10 },
  full: { uploads: 100 },
  async run(context) {
    const { world, chance, size } = context
    const { uploads = 0 } = size
    const system = await startSystem(world, {
      apiWrap: existsSync('/usr/bin/prlimit') ? ['prlimit', '--nofile=96'] : []
    })
    const history = new History()
    const statuses = new Map<number, number>()
    const spool = join(system.payloads, 'spool')
    const send = async (at: number): Promise<void> => {
      const key = `${chance.seed}-${at}`
      const operation = history.operation(key, permits(chance, `${chance.seed}N${at}`, 300))
      const answer = await sendOnce(system.address(), key, operation.submission)
      history.complete('client', operation, answer)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
    try {
      renameSync(spool, `${spool}-away`)
      writeFileSync(spool, '')
      for (let at = 0; at < uploads; at += 1) await send(at)
      const refused = statuses.get(503) ?? 0
      rmSync(spool)
      renameSync(`${spool}-away`, spool)
      // More uploads at once than there are descriptors for.
      await Promise.all(Array.from({ length: 120 }, (_, at) => send(uploads + at)))
      const back = await secondsUntilTaken(context, system, history)
      const { deaths } = system.api
      const verdict = await finish(context, system, history, { seconds: 600 })
      const expect = expecting()
      expect.is(refused === uploads, `${refused} of ${uploads} were answered 503`)
      expect.is(!statuses.has(500), `${statuses.get(500)} were answered 500`)
      expect.is(deaths === 0, 'the API ended')
      const told = [...statuses].map(([status, n]) => `${status || 'none'}: ${n}`).join(', ')
      return {
        figures: { answers: told, 'taken again s': round(back), crashes: deaths },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}

const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int bad(void) { const char *flag = getenv("FAIL_FSYNC"); return flag && access(flag, F_OK) == 0; }
int fsync(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "fsync"); if (bad()) { errno = EIO; return -1; } return real(fd); }
int fdatasync(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "fdatasync"); if (bad()) { errno = EIO; return -1; } return real(fd); }
`

function buildShim(folder: string): string | undefined {
  const source = join(folder, 'shim.c')
  const library = join(folder, 'shim.so')
  mkdirSync(folder, { recursive: true })
  writeFileSync(source, SHIM)
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' })
    return library
  } catch {
    return undefined
  }
}

/** S-4. */
export const failingSync: Scenario = {
  id: 'S-4',
  title: 'fsync of the payload store fails with EIO',
  short: { uploads: 10 },
  full: { uploads: 200 },
  async run(context) {
    const { world, chance, size } = context
    const { uploads = 0 } = size
    const folder = join(world.folder, `shim-${chance.seed}`)
    const library = process.platform === 'linux' ? buildShim(folder) : undefined
    if (library === undefined)
      return { figures: {}, faults: [], impossible: 'there is no C compiler to make a failing fsync with' }
    const flag = join(folder, 'fail')
    const system = await startSystem(world, { apiEnv: () => ({ LD_PRELOAD: library, FAIL_FSYNC: flag }) })
    const history = new History()
    const statuses = new Map<number, number>()
    try {
      writeFileSync(flag, '')
      for (let at = 0; at < uploads; at += 1) {
        const key = `${chance.seed}-${at}`
        const operation = history.operation(key, permits(chance, `${chance.seed}N${at}`, 200))
        const answer = await sendOnce(system.address(), key, operation.submission)
        history.complete('client', operation, answer)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
      const kept = existsSync(join(system.payloads, JURISDICTION))
        ? readdirSync(join(system.payloads, JURISDICTION)).length
        : 0
      rmSync(flag)
      await waitFor('readiness', 30, async () => (await fetch(`${system.address()}/readyz`)).status === 200)
      const back = await secondsUntilTaken(context, system, history)
      const verdict = await finish(context, system, history)
      const expect = expecting()
      expect.is((statuses.get(503) ?? 0) === uploads, `${statuses.get(503) ?? 0} of ${uploads} were answered 503`)
      expect.is(kept === 0, `${kept} payloads stayed that were never synced`)
      return {
        figures: {
          uploads,
          'answered 202': statuses.get(202) ?? 0,
          'answered 503': statuses.get(503) ?? 0,
          'taken again s': round(back)
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
