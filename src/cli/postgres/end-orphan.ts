import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isRunning, processName } from './claim-file.ts'
import { postmasterPath, readPostmaster } from './postmaster-file.ts'

const run = promisify(execFile)
const STOP_LIMIT_MS = 60_000
const POLL_MS = 25

/** A parent killed outright leaves its server running: nobody owns it, so it is shut down before the next start. */
export async function endOrphan(folder: string, log: (message: string) => void): Promise<void> {
  const left = await readPostmaster(folder)
  if (left === undefined) return
  const { pid } = left
  const name = processName(pid)
  // Postgres refuses to start while the pid in this file runs, whoever it is now; orphaned sessions it finds otherwise.
  if (name === undefined || !(await servesFolder(pid, folder))) return rm(postmasterPath(folder), { force: true })
  log(`ending the database server ${pid} that an earlier start left behind`)
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_LIMIT_MS
  while (isRunning(name)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT')
    await delay(POLL_MS)
  }
}

/** The pid in a stale file may belong to somebody else by now (a container gives the same few out at each start). */
async function servesFolder(pid: number, folder: string): Promise<boolean> {
  const command = await commandOf(pid)
  return command.includes('postgres') && `${command} `.includes(`-D ${folder} `)
}

async function commandOf(pid: number): Promise<string> {
  const listed = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (listed !== undefined) return listed.replaceAll('\0', ' ')
  const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trimEnd()
}
