import { readdirSync, readFileSync } from 'node:fs'

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

function see(pid: number): Seen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { pid, parent, command: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ') }
  } catch {
    return undefined
  }
}

const all = (): Seen[] => readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (see(Number(name)) ?? []) : []))

/** Processes that descend from one that we started. */
export function descendantsOf(root: number): Seen[] {
  const seen = all()
  const inside = new Set([root])
  for (let size = 0; size !== inside.size; ) {
    size = inside.size
    for (const { pid, parent } of seen) if (inside.has(parent)) inside.add(pid)
  }
  return seen.filter(({ pid }) => pid !== root && inside.has(pid))
}

/** Sends a signal to one process; false when it is gone already. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  if (pid <= 1) return false
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** The postmaster and all of its children: to freeze a server, all of them must sleep. */
export function signalServer(postmaster: number, name: NodeJS.Signals): void {
  for (const { pid } of descendantsOf(postmaster)) signal(pid, name)
  signal(postmaster, name)
}
