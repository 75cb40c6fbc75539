import { loadConfig } from '../config.ts'
import { type Io, readArguments } from './command.ts'
import { startDeployment } from './deployment/deployment.ts'
import { firstKey } from './deployment/first-key.ts'
import { runUntilStopped } from './terminal/stop-signal.ts'

/** `docket start`: the whole system on this machine, until SIGTERM or Ctrl-C. */
export async function start(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  const config = loadConfig(io.env)
  let made: string | undefined
  const deployment = await startDeployment({
    config,
    io,
    async prepare(url) {
      made = await firstKey(url, config)
      // At once: a start that fails after this, at a port that is taken, say, will not make it again.
      if (made !== undefined) io.out(`First administrator key, shown only now: ${made}`)
    }
  })
  io.out(`Docket is ready at ${deployment.address}`)
  if (made === undefined && config.bootstrapKey === undefined)
    io.out("A new key, should the first be lost: bin/docket keys create --name me --scope admin --jurisdiction '*'")
  io.out(`Try it: ${exampleOf(deployment.address, made)}`)
  return runUntilStopped(() => deployment.stop(), io)
}

/** One line to paste into another terminal, at the checkout's root. */
function exampleOf(address: string, key: string | undefined): string {
  const authorization = `Authorization: Bearer ${key ?? '$KEY'}`
  return `curl -i ${address}/v1/batches -H "${authorization}" -F profile=permit -F jurisdiction=53033 -F file=@samples/permits/king-blds.csv`
}
