import { readdirSync, readFileSync } from 'node:fs'

/** What the kernel says of a process; null when there is none. */
export interface ProcessStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
}

export function statOf(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, state, parent: Number(parent), group: Number(group) }
  } catch {
    return null
  }
}

/** All processes there are, but for those that have ended and are only waited for. */
export function processes(): ProcessStat[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.flatMap(pid => statOf(Number(pid)) ?? []).filter(({ state }) => state !== 'Z')
}

export const childrenOf = (parent: number): number[] =>
  processes()
    .filter(found => found.parent === parent)
    .map(({ pid }) => pid)

export const isRunning = (pid: number): boolean => processes().some(found => found.pid === pid)

/** The memory that is a process's own, and the most it has had at once of all kinds, in megabytes. */
export function memoryOf(pid: number): { readonly own: number; readonly peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024
    return { own: megabytes('RssAnon'), peak: megabytes('VmHWM') }
  } catch {
    return { own: 0, peak: 0 }
  }
}

/** The soft limits of a process by the kernel's names for them. */
export function limitsOf(pid: number): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${pid}/limits`, 'latin1').split('\n').slice(1)
  return new Map(lines.map(line => [line.slice(0, 26).trim(), line.slice(26, 47).trim()]))
}
