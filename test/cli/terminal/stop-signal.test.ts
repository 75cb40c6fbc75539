import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

const MODULE = fileURLToPath(new URL('../../../src/cli/terminal/stop-signal.ts', import.meta.url))

/** Says `ready`, waits to be stopped, says `closing`, and closes at once or never. */
function startSample(close: 'at once' | 'never'): ChildProcess {
  const script = `
    import { runUntilStopped } from ${JSON.stringify(MODULE)}
    const io = { out() {}, err() {}, env: {} }
    const close = () => {
      process.send?.('closing')
      return ${close === 'never'} ? new Promise(() => undefined) : Promise.resolve()
    }
    const stopped = runUntilStopped(close, io)
    const alive = setInterval(() => undefined, 1000)
    process.send('ready')
    const status = await stopped
    clearInterval(alive)
    process.exit(status)`
  return spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} closes in order`, async t => {
    const child = startSample('at once')
    await once(child, 'message')
    child.kill(signal)
    t.strictSame(await once(child, 'exit'), [0, null])
  })
}

test('a second signal does not wait for a close that hangs', async t => {
  const child = startSample('never')
  await once(child, 'message')
  const closing = once(child, 'message')
  child.kill('SIGTERM')
  t.strictSame(await closing, ['closing', undefined])
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [1, null])
})

test('the end of the parent closes a child in order', async t => {
  const child = startSample('at once')
  await once(child, 'message')
  child.disconnect()
  t.strictSame(await once(child, 'exit'), [0, null])
})
