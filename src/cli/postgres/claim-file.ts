import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'

/** Names one process for good: a pid alone is given out again after its process ends. */
export interface ProcessName {
  readonly pid: number
  /** Clock ticks after boot, from /proc; undefined where the system has none. */
  readonly startedAt?: string
}

/** The name of a running process, or undefined when there is none of that pid (or it only waits to be reaped). */
export function processName(pid: number): ProcessName | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return undefined
  }
  try {
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    const startedAt = fields[19]
    return startedAt === undefined ? { pid } : { pid, startedAt }
  } catch {
    return { pid }
  }
}

/** Whether the process so named still runs. */
export function isRunning(name: ProcessName): boolean {
  const now = processName(name.pid)
  return now !== undefined && (name.startedAt === undefined || now.startedAt === name.startedAt)
}

let attempts = 0

/**
 * Claims `path` for this process: undefined when it is ours now, else the live holder. A claim left by a process
 * that has ended is taken over. `releaseFile` gives it back.
 */
export async function claimFile(path: string): Promise<ProcessName | undefined> {
  attempts += 1
  const own = `${path}.${process.pid}.${attempts}`
  await writeFile(own, JSON.stringify(processName(process.pid)), { mode: 0o644 })
  try {
    for (;;) {
      if (await linked(own, path)) return undefined
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (text === undefined) continue
      const holder = parseName(text)
      if (holder !== undefined && isRunning(holder)) return holder
      await moveAway(path, text)
    }
  } finally {
    await rm(own, { force: true })
  }
}

/** Gives back a claim of this process. */
export async function releaseFile(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** A hard link is made whole or not at all, so no reader ever sees a claim half written. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Two claimants may find the same dead claim: the slower one must not move the faster one's new claim away. */
async function moveAway(path: string, dead: string): Promise<void> {
  attempts += 1
  const aside = `${path}.${process.pid}.${attempts}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if ((await readFile(aside, 'utf8')) !== dead) await linked(aside, path)
  await unlink(aside)
}

/** A process name as a claim holds it, or undefined when the text is none. */
export function parseName(text: string): ProcessName | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined
    const startedAt = 'startedAt' in value && typeof value.startedAt === 'string' ? value.startedAt : undefined
    return startedAt === undefined ? { pid: value.pid } : { pid: value.pid, startedAt }
  } catch {
    return undefined
  }
}

function systemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
