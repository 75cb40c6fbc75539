import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { isRunning, processName } from '../../src/cli/postgres/claim-file.ts'
import { readPostmaster } from '../../src/cli/postgres/postmaster-file.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/docket')

interface Started {
  readonly child: ChildProcess
  readonly address: string
  readonly key: string | undefined
}

/** Runs `docket start` until it says that it is ready; its next line but one is the example to paste. */
async function start(t: Test, folder: string): Promise<Started> {
  const child = spawn(PROGRAM, ['start'], {
    env: { PATH: process.env['PATH'] ?? '', DOCKET_DATA: folder, DOCKET_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGTERM'))
  let address = ''
  let key: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    address = /^Docket is ready at (\S+)$/.exec(line)?.[1] ?? address
    key = /^First administrator key, shown only now: (\S+)$/.exec(line)?.[1] ?? key
    if (line.startsWith('Try it: curl ')) break
  }
  child.stdout.resume()
  child.stderr.resume()
  return { child, address, key }
}

async function stop(child: ChildProcess): Promise<unknown> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  return (await exit)[0]
}

/** Asks until the answer has this status; processes that come back say so in no other way. */
async function answers(url: string, init: RequestInit, status: number): Promise<unknown> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined)
    if (response?.status === status) return response.json()
    if (Date.now() > deadline) throw new Error(`${url} did not answer ${status}`)
    await delay(50)
  }
}

const childrenOf = (pid: number, command: string): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map(line => line.trim().split(/ +/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.join(' ').endsWith(command))
    .map(([child]) => Number(child))

test('docket start: the first key is shown also by a start that fails at its port', async t => {
  const parent = mkdtempSync(join(tmpdir(), 'docket-start-'))
  chmodSync(parent, 0o711)
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const child = spawn(PROGRAM, ['start'], {
    env: { PATH: process.env['PATH'] ?? '', DOCKET_DATA: join(parent, 'data'), DOCKET_PORT: port },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  t.teardown(() => child.kill('SIGTERM'))
  let out = ''
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString('utf8')
  })
  t.strictSame(await once(child, 'close'), [1, null])
  const [, key = ''] = /^First administrator key, shown only now: (\S+)$/m.exec(out) ?? []

  const second = await start(t, join(parent, 'data'))
  t.equal(second.key, undefined)
  const answer = await fetch(`${second.address}/v1/batches`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(answer.status, 200, 'and it is the one that counts')
  t.equal(await stop(second.child), 0)
})

test('docket start: first key once, processes that are killed come back, nothing is left behind', async t => {
  const parent = mkdtempSync(join(tmpdir(), 'docket-start-'))
  chmodSync(parent, 0o711)
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  const folder = join(parent, 'data')

  const first = await start(t, folder)
  t.match(first.key, /^dkt_/)
  const authorization = { authorization: `Bearer ${first.key}` }
  const batches = `${first.address}/v1/batches`
  const body = 'submission_id,permit_type_code,parcel_id,project_valuation\nBLD-1,RES,1703120010,1000.00\n'
  const posted = await fetch(`${batches}?profile=permit&jurisdiction=53033`, {
    method: 'POST',
    headers: { ...authorization, 'content-type': 'text/csv' },
    body
  })
  t.equal(posted.status, 202)

  const [api = 0] = childrenOf(first.child.pid ?? 0, 'main.ts api')
  process.kill(api, 'SIGKILL')
  t.match(await answers(batches, { headers: authorization }, 200), { data: [{ profile: 'permit' }] })

  const server = await readPostmaster(join(folder, 'postgres'))
  process.kill(server?.pid ?? 0, 'SIGKILL')
  await answers(`${first.address}/readyz`, {}, 200)
  t.match(await answers(batches, { headers: authorization }, 200), { data: [{ profile: 'permit' }] })

  const [worker = 0] = childrenOf(first.child.pid ?? 0, 'main.ts worker')
  const left = [processName(worker), processName((await readPostmaster(join(folder, 'postgres')))?.pid ?? 0)]
  t.equal(await stop(first.child), 0)
  t.strictSame(
    left.filter(name => name !== undefined && isRunning(name)),
    [],
    'worker and database have ended'
  )

  const second = await start(t, folder)
  t.equal(second.key, undefined, 'no further key is made')
  t.match(await answers(`${second.address}/v1/batches`, { headers: authorization }, 200), { data: [{}] })
  t.equal(await stop(second.child), 0)
})
