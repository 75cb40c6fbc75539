import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type Test, test } from 'tap'
import { supervise } from '../../../src/cli/deployment/supervise.ts'
import { processName } from '../../../src/cli/postgres/claim-file.ts'

/** A process that tells the test its pid over a socket, so that nobody has to wait by the clock. */
const CHILD = `
  require('node:net').connect(Number(process.env.PORT), '127.0.0.1', function () {
    this.write(String(process.pid))
    process.send({ address: process.env.ADDRESS })
  })
  process.on('SIGTERM', () => process.exit(0))`

async function listen(t: Test): Promise<{ port: number; next: () => Promise<number> }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const next = async (): Promise<number> => {
    const [socket]: Socket[] = await once(server, 'connection')
    if (socket === undefined) return 0
    socket.on('error', () => undefined)
    const [data]: Buffer[] = await once(socket, 'data')
    return Number(data?.toString('utf8'))
  }
  return { port, next }
}

test('a process that ends unasked is started again, one that is stopped stays down', async t => {
  const { port, next } = await listen(t)
  const messages: string[] = []
  let starts = 0
  const firstPid = next()
  const supervised = await supervise({
    name: 'sample',
    command: [process.execPath, '-e', CHILD],
    env: () => {
      starts += 1
      return { PORT: String(port), ADDRESS: `start ${starts}` }
    },
    log: message => messages.push(message)
  })
  t.strictSame(supervised.ready, { address: 'start 1' })
  const first = await firstPid
  const secondPid = next()
  process.kill(first, 'SIGKILL')
  const second = await secondPid
  t.not(second, first)
  t.equal(starts, 2, 'the environment is asked for at each start')
  t.match(messages, [/sample ended \(signal SIGKILL\) and is started again/])
  await supervised.stop()
  t.notOk(processName(second))
  t.equal(messages.length, 1, 'being stopped is not worth a message')
})

test('a process that was never ready is an error', async t => {
  await t.rejects(
    supervise({
      name: 'sample',
      command: [process.execPath, '-e', 'process.exit(3)'],
      env: () => ({}),
      log: () => undefined
    }),
    { code: 'INTERNAL', message: /The sample did not start/ }
  )
})
