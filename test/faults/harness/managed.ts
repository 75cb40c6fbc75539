import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The command line of this build. */
export const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')
/** A process that could not start because what it needs is away is tried again after this. */
const RESTART_MS = 150
/** So much of what a process wrote is kept of its end. */
const LAST_LINES = 6

export interface ManagedOptions {
  readonly name: string
  readonly command: 'api' | 'worker'
  /** Asked at each start. */
  readonly env: () => Readonly<Record<string, string>>
  readonly logPath: string
  /** The command line of another build than this one. */
  readonly main?: string
  /** Put in front of the command, as `prlimit --nofile=64`. */
  readonly wrap?: readonly string[]
}

/**
 * One process of Docket in a process group of its own, started again whenever it ends unasked. It is ended by its own
 * process id and never by a name.
 */
export class Managed {
  readonly name: string
  /** Times it ended unasked. */
  deaths = 0
  /** How each of those ended, with the last lines it wrote. */
  readonly ends: string[] = []
  /** What the last one that was ready had said. */
  message: Readonly<Record<string, string>> = {}
  private readonly options: ManagedOptions
  private child: ChildProcess | undefined
  private ready: Promise<unknown> = Promise.resolve()
  private running: Promise<void> = Promise.resolve()
  private wanted = false

  constructor(options: ManagedOptions) {
    this.options = options
    this.name = options.name
  }

  get pid(): number {
    return this.child?.pid ?? 0
  }

  get alive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  /** Everything it has logged, in all its lives. */
  log(): string {
    return readFileSync(this.options.logPath, 'utf8')
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    this.wanted = true
    this.launch()
    this.running = this.watch()
    await this.untilReady()
  }

  /** Waits until the process of this moment, or the next one, has said that it is ready. */
  async untilReady(): Promise<void> {
    for (;;) {
      const waited = this.ready
      if (await waited) return
      if (waited === this.ready) await delay(RESTART_MS)
    }
  }

  /** Sends a signal to this one process. False when there is none at present. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): boolean {
    return this.alive && this.child?.kill(signal) === true
  }

  /** Asks it to end and waits; answers after how many seconds it had. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
    this.wanted = false
    const begun = performance.now()
    this.kill(signal)
    const limit = setTimeout(() => this.kill('SIGKILL'), 60_000)
    await this.running
    clearTimeout(limit)
    return (performance.now() - begun) / 1000
  }

  private launch(): void {
    const { command, env, logPath, wrap = [], main = MAIN } = this.options
    const log = openSync(logPath, 'a')
    const [program, ...args] = [...wrap, process.execPath, main, command]
    const child = spawn(program ?? process.execPath, args, {
      detached: true,
      env: { PATH: process.env['PATH'] ?? '', ...env() },
      stdio: ['ignore', log, log, 'ipc']
    })
    closeSync(log)
    this.child = child
    const said = once(child, 'message').then(([message]) => {
      this.message = message as Record<string, string>
      return true
    })
    const ended = new Promise<boolean>(resolve => {
      child.once('exit', () => resolve(false))
      child.once('error', () => resolve(false))
    })
    this.ready = Promise.race([said, ended])
  }

  private async watch(): Promise<void> {
    while (this.child) {
      const { child } = this
      if (this.alive) await once(child, 'exit')
      if (!this.wanted) return
      // Until the next one is launched there is none that could be ready.
      this.ready = Promise.resolve(false)
      this.deaths += 1
      const how = child.signalCode ?? `exit code ${child.exitCode}`
      this.ends.push(`${this.name} ended by ${how}: ${this.log().trimEnd().split('\n').slice(-LAST_LINES).join('\n')}`)
      await delay(RESTART_MS)
      if (!this.wanted) return
      this.launch()
    }
  }
}
