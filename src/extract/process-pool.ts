import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import { type ExtractFailure, givenUp, isGivenUp } from './answer.ts'
import { ExtractionProcess, type Reply } from './extraction-process.ts'
import { type Isolation, machineIsolation } from './isolation.ts'
import { decodeFailure } from './wire.ts'

export interface PoolOptions {
  /** Memory ceiling of one document, in MB. */
  readonly memoryMb: number
  /** Wall clock and CPU ceiling of one document. */
  readonly seconds: number
  /** Documents in flight; as many processes are kept warm. */
  readonly slots: number
  /** A folder of our own for the one file each process may read. */
  readonly tempDir: string
  /** The program of the processes. */
  readonly program: string
  /** Folders they may read besides their own. */
  readonly readable?: readonly string[]
  /** Processor time of one step, where a process tells its steps. */
  readonly stepSeconds?: number
  /** True starts a process only when a document comes, for work that may never be asked for. */
  readonly lazy?: boolean
}

/** One document for a process, and what is asked of it. */
export interface PoolWork<T extends { readonly ok: true }> {
  readonly path: string
  readonly request: object
  /**
   * Opens the answer, which was written by a process that has seen a hostile document. What it throws, but for
   * AppErrors, says that the answer is none: the process is ended and the document has failed.
   */
  readonly open: (answer: Buffer) => Promise<T>
  readonly signal?: AbortSignal
  /** Told each step that a process begins. */
  readonly onStep?: (step: number) => void
}

/** A process is replaced after this many documents: pdfjs keeps some memory of each (reliability figures of long runs). */
const MAX_DOCUMENTS = 50

/**
 * Processes that are shut in, started before they are needed, each at one document at a time; one that failed, was
 * ended or is worn is replaced.
 */
export class ProcessPool {
  readonly isolation: Isolation = machineIsolation()
  private readonly options: PoolOptions
  private readonly idle: Promise<ExtractionProcess>[] = []
  private readonly running = new Set<ExtractionProcess>()
  private readonly waiting: (() => void)[] = []
  private readonly prepared: Promise<void>
  private free: number
  private closed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.free = options.slots
    this.prepared = options.lazy === true ? Promise.resolve() : prepareFolder(options.tempDir)
    if (options.lazy !== true) for (let slot = 0; slot < options.slots; slot++) this.warm()
  }

  /**
   * Has a process answer about one document, once a slot is free. Breaking the ceilings is an outcome; throws an
   * AppError for faults of ours only, and the signal's reason when aborted.
   */
  async run<T extends { readonly ok: true }>(work: PoolWork<T>): Promise<T | ExtractFailure> {
    await this.takeSlot()
    try {
      work.signal?.throwIfAborted()
      this.throwIfClosed()
      return await this.ask(work)
    } finally {
      this.giveSlot()
    }
  }

  /** Throws `STORE_UNAVAILABLE` when no process can be started here. */
  async check(): Promise<void> {
    this.throwIfClosed()
    // A process that is reading was started.
    if (this.running.size > 0) return
    const child = await this.takeProcess()
    const known = this.idle.length + this.running.size
    if (this.closed || known >= this.options.slots) await child.end()
    else this.idle.push(Promise.resolve(child))
  }

  /** Ends all processes. Documents in flight are given up: their calls throw a retryable AppError. */
  async close(): Promise<void> {
    this.closed = true
    const idle = this.idle.splice(0)
    await Promise.all([...this.running].map(child => child.end()))
    await Promise.all(
      idle.map(starting =>
        starting.then(
          child => child.end(),
          () => {}
        )
      )
    )
  }

  private async ask<T extends { readonly ok: true }>({
    path,
    request,
    open,
    signal,
    onStep
  }: PoolWork<T>): Promise<T | ExtractFailure> {
    const child = await this.takeProcess()
    this.running.add(child)
    let outcome: T | ExtractFailure | null = null
    try {
      const { seconds, stepSeconds } = this.options
      const reply = await child.ask(path, request, {
        seconds,
        ...(stepSeconds ? { stepSeconds } : {}),
        ...(onStep ? { onStep } : {}),
        ...(signal ? { signal } : {})
      })
      signal?.throwIfAborted()
      // A process that was ended with its pool says nothing about its document.
      this.throwIfClosed()
      outcome = await outcomeOf(reply, open)
      signal?.throwIfAborted()
      return outcome
    } finally {
      this.running.delete(child)
      await this.putBack(child, outcome)
    }
  }

  private throwIfClosed(): void {
    if (this.closed) throw new AppError('STORE_UNAVAILABLE', 'Reading of documents has been stopped. Try again later.')
  }

  /** Keeps a healthy process for the next document and replaces any other at once. */
  private async putBack(
    child: ExtractionProcess,
    outcome: { readonly ok: true } | ExtractFailure | null
  ): Promise<void> {
    const failed = !outcome || (!outcome.ok && isGivenUp(outcome))
    if (!failed && !this.closed && child.alive && !this.isWorn(child)) {
      this.idle.push(Promise.resolve(child))
      return
    }
    if (this.options.lazy !== true) this.warm()
    await child.end()
  }

  /** CPU time counts over all documents of a process: the next one must have its full share left. */
  private isWorn(child: ExtractionProcess): boolean {
    const { cpuSeconds, memoryMb } = child.usage()
    const { seconds, memoryMb: ceiling } = this.options
    return child.documents >= MAX_DOCUMENTS || memoryMb > ceiling / 2 || cpuSeconds > seconds
  }

  private warm(): void {
    if (this.closed) return
    const starting = this.start()
    // Whoever takes it sees the failure; nobody may be waiting yet.
    starting.catch(() => {})
    this.idle.push(starting)
  }

  private async start(): Promise<ExtractionProcess> {
    const { memoryMb, seconds, tempDir, program, readable = [], lazy } = this.options
    await (lazy === true ? prepareFolder(tempDir) : this.prepared)
    const limits = { memoryMb, cpuSeconds: 2 * seconds + 2 }
    return ExtractionProcess.start({ isolation: this.isolation, limits, tempDir, program, readable })
  }

  private async takeProcess(): Promise<ExtractionProcess> {
    const warm = await this.idle.shift()?.catch(() => null)
    if (warm?.alive) return warm
    await warm?.end()
    return this.start()
  }

  private async takeSlot(): Promise<void> {
    if (this.free > 0) this.free -= 1
    else await new Promise<void>(resolve => this.waiting.push(resolve))
  }

  private giveSlot(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free += 1
  }
}

async function outcomeOf<T>(reply: Reply, open: (answer: Buffer) => Promise<T>): Promise<T | ExtractFailure> {
  if ('ended' in reply) return givenUp(reply.ended)
  try {
    return decodeFailure(reply.body) ?? (await open(reply.body))
  } catch (error) {
    if (error instanceof AppError) throw error
    return givenUp('crashed')
  }
}

/** Makes the folder, and clears what a killed process of ours left in it. */
async function prepareFolder(tempDir: string): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(tempDir)) {
    const owner = /^extract-(\d{1,10})-/.exec(name)?.[1]
    if (owner !== undefined && !isRunning(Number(owner)))
      await rm(join(tempDir, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
