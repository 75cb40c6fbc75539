import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Ceilings of one extraction process. */
export interface ProcessLimits {
  readonly memoryMb: number
  /** CPU seconds of the whole process, over all its documents. */
  readonly cpuSeconds: number
}

/** What of the isolation this machine offers. */
export interface Isolation {
  /** `full`: memory, CPU and file limits by the kernel, no file access, no network, death with the parent. */
  readonly level: 'full' | 'degraded'
  /** What is missing when degraded, e.g. `prlimit`. */
  readonly missing: readonly string[]
  /** The wrapping commands that work here. */
  readonly wrappers: ReadonlySet<Wrapper>
}

type Wrapper = 'prlimit' | 'setpriv' | 'unshare' | 'unshare-user' | 'env'

const TRIALS: readonly (readonly [Wrapper, readonly string[]])[] = [
  ['prlimit', ['prlimit', '--core=0', '--', 'true']],
  ['setpriv', ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--', 'true']],
  ['unshare', ['unshare', '--net', '--', 'true']],
  ['unshare-user', ['unshare', '--net', '--map-root-user', '--', 'true']],
  ['env', ['env', '-i', 'true']]
]

/** What this machine offers, found once per process by trying each wrapping command on a program that does nothing. */
export function machineIsolation(): Isolation {
  known ??= probeIsolation(runs)
  return known
}

let known: Isolation | undefined

/** What is offered when `run` tells which commands work. */
export function probeIsolation(run: (command: readonly string[]) => boolean): Isolation {
  const wrappers = new Set<Wrapper>(TRIALS.filter(([, command]) => run(command)).map(([name]) => name))
  if (wrappers.has('unshare')) wrappers.delete('unshare-user')
  const missing: string[] = (['prlimit', 'setpriv'] as const).filter(name => !wrappers.has(name))
  if (!wrappers.has('unshare') && !wrappers.has('unshare-user')) missing.push('unshare')
  return { level: missing.length === 0 ? 'full' : 'degraded', missing, wrappers }
}

function runs([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 5000 }).status === 0
}

/**
 * V8 reserves this much for machine code at its start and the kernel counts it as data, used or not
 * (VmData of an idle Node 24: 574 MB, VmRSS 43 MB).
 */
const CODE_RANGE_MB = 512

/**
 * Megabytes of one half of the young generation. Pages are read faster the more of what a page takes dies young; three
 * times this counts against the ceiling, so only one that is high enough gives more.
 */
const youngMb = (memoryMb: number): number => (memoryMb >= 512 ? 16 : 8)

const sourceFolder = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where packages are looked up, which may be a link, and where they lie: Node asks for leave to read under both names. */
function modulesFolders(): string[] {
  const require = createRequire(import.meta.url)
  const actual = dirname(dirname(require.resolve('pdfjs-dist/package.json')))
  const lookedUp = require.resolve.paths('pdfjs-dist')?.find(path => existsSync(join(path, 'pdfjs-dist')))
  return [...new Set([actual, lookedUp ?? actual])]
}

const packages = modulesFolders()

/**
 * The command line of an extraction process. Each wrapper replaces itself by the next, so that the process
 * started is the one that reads. Node lets it read its own program, `folder` and what is `readable` besides, and nothing
 * else: no writing, no processes, no native add-ons.
 */
export function commandFor(
  isolation: Isolation,
  limits: ProcessLimits,
  program: { readonly file: string; readonly folder: string; readonly readable?: readonly string[] }
): string[] {
  const { wrappers } = isolation
  const command: string[] = []
  if (wrappers.has('unshare')) command.push('unshare', '--net', '--')
  if (wrappers.has('unshare-user')) command.push('unshare', '--net', '--map-root-user', '--')
  if (wrappers.has('setpriv')) command.push('setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--')
  if (wrappers.has('prlimit')) {
    const bytes = (limits.memoryMb + CODE_RANGE_MB) * 1024 * 1024
    const cpu = `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 2}`
    command.push('prlimit', `--data=${bytes}`, cpu, '--core=0', '--nofile=64', '--fsize=0', '--')
  }
  // Tools that watch this process add variables (NODE_OPTIONS) to whatever it starts, after our own choice.
  if (wrappers.has('env')) command.push('env', '-i')
  const readable = [
    sourceFolder,
    ...packages,
    join(dirname(sourceFolder), 'package.json'),
    dirname(program.file),
    program.folder,
    ...(program.readable ?? [])
  ]
  return [
    ...command,
    process.execPath,
    '--permission',
    ...readable.map(path => `--allow-fs-read=${path}`),
    // The rest of the ceiling is for buffers and WebAssembly, which the kernel's limit counts too.
    `--max-old-space-size=${Math.floor(limits.memoryMb * 0.6)}`,
    `--max-semi-space-size=${youngMb(limits.memoryMb)}`,
    program.file
  ]
}
