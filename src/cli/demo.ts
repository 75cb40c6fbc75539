import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { type Io, readArguments } from './command.ts'
import { createClient } from './demo/client.ts'
import { runDemo } from './demo/run-demo.ts'
import { startDeployment } from './deployment/deployment.ts'
import { verify } from './verify.ts'

/**
 * `docket demo`: the whole system on the samples: a fresh deployment in a temporary folder, every batch submitted
 * twice, outcomes, what waits for a person and why, and the verifier's word. With DOCKET_DATA the data are kept there.
 * Exit status 0 when each batch ended as the samples say and nothing was committed twice.
 */
export async function demo(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  const kept = io.env['DOCKET_DATA']
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'docket-demo-')))
  await mkdir(folder, { recursive: true })
  if (kept === undefined) await chmod(folder, 0o711)
  const key = `demo-${randomBytes(24).toString('base64url')}`
  const env = { DOCKET_PORT: '0', ...io.env, DOCKET_DATA: folder, DOCKET_BOOTSTRAP_KEY: key }
  const config = loadConfig(env)
  const logPath = join(folder, 'docket.log')
  const began = Date.now()
  try {
    const deployment = await startDeployment({
      config,
      io: { ...io, env },
      output: openSync(logPath, 'a')
    })
    try {
      io.out(`API on ${deployment.address}, ready after ${((Date.now() - began) / 1000).toFixed(1)} s`)
      const client = createClient(deployment.address, key)
      return await Promise.race([
        runDemo({ client, io, verify: () => verify(['--payloads'], { ...io, env }) }),
        interrupted()
      ])
    } finally {
      await deployment.stop()
    }
  } catch (error) {
    io.err(await endOf(logPath))
    throw error
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true })
    else io.out(`The data stay in ${folder}; run it again and nothing is committed twice.`)
  }
}

function interrupted(): Promise<number> {
  return new Promise(settle => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => settle(130))
  })
}

async function endOf(logPath: string): Promise<string> {
  const log = await readFile(logPath, 'utf8').catch(() => '')
  return log.trimEnd().split('\n').slice(-20).join('\n')
}
