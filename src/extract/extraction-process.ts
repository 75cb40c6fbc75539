import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../crash-points.ts'
import { AppError } from '../errors.ts'
import type { LimitDetail } from './answer.ts'
import { frameOf, readFrames, readStep } from './frames.ts'
import { commandFor, type Isolation, type ProcessLimits } from './isolation.ts'

/** Answers longer than this are not those of a document within the limits of pages and text. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
/** Starting takes a third of a second; a machine under full load is given time. */
const START_SECONDS = 30
const TICKS_PER_SECOND = 100
/** How often a process that works in steps is looked at. */
const WATCH_MS = 500
const PAGE_BYTES = 4096

export interface ProcessOptions {
  readonly isolation: Isolation
  readonly limits: ProcessLimits
  readonly tempDir: string
  readonly program: string
  /** Folders it may read besides its own. */
  readonly readable?: readonly string[]
}

/** How long a process may take for its answer, and what is done meanwhile. */
export interface AskOptions {
  readonly seconds: number
  /** Processor time it may take for one step; without it signs of progress are no part of the conversation. */
  readonly stepSeconds?: number
  /** Told each step that is begun. */
  readonly onStep?: (step: number) => void
  readonly signal?: AbortSignal
}

/** What the process answered, or how it ended without an answer. */
export type Reply = { readonly body: Buffer } | { readonly ended: LimitDetail }

/** One child that reads one document at a time. It is never trusted and can be killed at any moment. */
export class ExtractionProcess {
  /** Documents answered so far. */
  documents = 0
  readonly folder: string
  private readonly child: ChildProcess
  private readonly frames: AsyncGenerator<Buffer>
  private readonly exited: Promise<LimitDetail>
  private killedFor: LimitDetail | null = null
  private hasEnded = false

  /** Starts a process and waits until it is ready to read. Throws when it cannot be started: a fault of ours. */
  static async start(options: ProcessOptions): Promise<ExtractionProcess> {
    // Whoever was silent for long, as a machine that slept is, may have lost it.
    await mkdir(options.tempDir, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(options.tempDir, `extract-${process.pid}-`))
    const started = new ExtractionProcess(folder, options)
    crashPoint('extraction.process-started')
    const reply = await started.reply(START_SECONDS)
    if ('body' in reply) return started
    await started.end()
    throw new AppError('STORE_UNAVAILABLE', 'A process to read documents could not be started.', {
      details: { cause: reply.ended }
    })
  }

  private constructor(folder: string, { isolation, limits, program, readable = [] }: ProcessOptions) {
    this.folder = folder
    const [file = '', ...args] = commandFor(isolation, limits, { file: program, folder, readable })
    // A group of its own, so that anything it starts dies with it; no environment, so that it knows no secret.
    this.child = spawn(file, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
    })
    this.exited = this.watchExit()
    const { stdin, stdout } = this.child
    if (!stdin || !stdout) throw new AppError('INTERNAL', 'A process to read documents has no pipes.')
    // Writing to a process that just died is answered by its exit.
    stdin.on('error', () => {})
    this.frames = readFrames(stdout, MAX_ANSWER_BYTES)
  }

  get alive(): boolean {
    return !this.hasEnded
  }

  /** Gives it a document and waits for its answer as long as it may take; then, or on abort, it is killed. */
  async ask(path: string, request: object, options: AskOptions): Promise<Reply> {
    const own = join(this.folder, 'document')
    await placeDocument(path, own)
    const abort = (): void => this.kill('crashed')
    options.signal?.addEventListener('abort', abort)
    try {
      this.child.stdin?.write(frameOf(Buffer.from(JSON.stringify({ ...request, path: own }))))
      const reply = await this.lastReply(options)
      this.documents += 1
      return reply
    } finally {
      options.signal?.removeEventListener('abort', abort)
      await rm(own, { force: true })
    }
  }

  /** CPU seconds and memory used so far, as the kernel counts them; zero where it does not say. */
  usage(): { cpuSeconds: number; memoryMb: number } {
    try {
      const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const pages = Number(readFileSync(`/proc/${this.child.pid}/statm`, 'latin1').split(' ')[1])
      return {
        cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
        memoryMb: (pages * PAGE_BYTES) / (1024 * 1024)
      }
    } catch {
      return { cpuSeconds: 0, memoryMb: 0 }
    }
  }

  /** Kills it with everything it started, and waits until it is gone. */
  async end(): Promise<void> {
    this.kill('crashed')
    await this.exited
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The reply that is no sign of progress. */
  private async lastReply({ seconds, stepSeconds, onStep }: AskOptions): Promise<Reply> {
    if (stepSeconds === undefined) return this.reply(seconds)
    const end = performance.now() + seconds * 1000
    let begun = this.usage().cpuSeconds
    // On a machine under load a step may take many times its processor time.
    const watch = setInterval(() => {
      if (this.usage().cpuSeconds - begun > stepSeconds) this.kill('limit_cpu')
    }, WATCH_MS)
    try {
      for (;;) {
        const reply = await this.reply(Math.max(0, (end - performance.now()) / 1000))
        const step = 'body' in reply ? readStep(reply.body) : undefined
        if (step === undefined) return reply
        begun = this.usage().cpuSeconds
        onStep?.(step)
      }
    } finally {
      clearInterval(watch)
    }
  }

  private async reply(seconds: number): Promise<Reply> {
    const timer = setTimeout(() => this.kill('limit_time'), seconds * 1000)
    try {
      const next = await this.frames.next()
      if (!next.done && this.killedFor === null) return { body: next.value }
    } catch {
      // Too long an answer, or a broken pipe: either way it is not trusted any further.
      this.kill('crashed')
    } finally {
      clearTimeout(timer)
    }
    this.kill('crashed', false)
    return { ended: await this.exited }
  }

  /** `force` false gives a process that has closed its output a moment to be seen ending by itself. */
  private kill(reason: LimitDetail, force = true): void {
    if (this.hasEnded || this.child.pid === undefined) return
    if (!force) {
      const grace = setTimeout(() => this.kill(reason), 1000)
      void this.exited.then(() => clearTimeout(grace))
      return
    }
    this.killedFor ??= reason
    try {
      process.kill(-this.child.pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }

  private watchExit(): Promise<LimitDetail> {
    return new Promise(resolve => {
      const ended = (detail: LimitDetail): void => {
        this.hasEnded = true
        this.sweepGroup()
        resolve(this.killedFor ?? detail)
      }
      this.child.once('exit', (code, signal) => ended(detailOfExit(code, signal)))
      this.child.once('error', () => ended('crashed'))
    })
  }

  /** What the process may have left behind in its group goes too. */
  private sweepGroup(): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL')
    } catch {
      // The group is empty.
    }
  }
}

/** Puts the document where only its process may read it; a hard link where the file system allows, else a copy. */
async function placeDocument(path: string, own: string): Promise<void> {
  try {
    await rm(own, { force: true })
    await link(path, own).catch(() => copyFile(path, own))
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new AppError(missing ? 'PAYLOAD_MISSING' : 'STORE_UNAVAILABLE', 'The stored document could not be opened.', {
      cause: error
    })
  }
}

/** V8 aborts (or traps) when its heap is full; the kernel's SIGKILL without ours is its out-of-memory killer. */
function detailOfExit(code: number | null, signal: NodeJS.Signals | null): LimitDetail {
  if (signal === 'SIGXCPU') return 'limit_cpu'
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || signal === 'SIGKILL') return 'limit_memory'
  return code === 134 ? 'limit_memory' : 'crashed'
}
