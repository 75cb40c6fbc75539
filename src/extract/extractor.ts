import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../errors.ts'
import type { ExtractFailure, ExtractOutcome } from './answer.ts'
import { ExtractionProcess, type Reply } from './extraction-process.ts'
import { extractorVersion } from './extractor-version.ts'
import { type Isolation, machineIsolation } from './isolation.ts'
import { decodeAnswer, decodeFailure } from './wire.ts'

export type { ExtractFailure, ExtractOutcome } from './answer.ts'

export interface ExtractorOptions {
  /** Memory ceiling of one document, in MB. */
  readonly memoryMb: number
  /** Wall clock and CPU ceiling of one document. */
  readonly seconds: number
  readonly pages: number
  /** Documents in flight; as many processes are kept warm. */
  readonly slots: number
  /** A folder of our own for the one file each process may read. */
  readonly tempDir: string
  /** The program of the processes; another one only in tests. */
  readonly program?: string
}

/** Reads documents in processes of their own. */
export interface Extractor {
  /** Under the same version the same bytes give the same result. */
  readonly version: string
  /** How far this machine lets documents be shut in; for readiness to state. */
  readonly isolation: Isolation
  /**
   * Reads one document into text. A document that is bad, or that breaks its ceilings, is an outcome; throws
   * an AppError for faults of ours only, and the signal's reason when aborted. Further calls wait for a slot.
   */
  extract(path: string, mediaType: string, signal?: AbortSignal): Promise<ExtractOutcome>
  /**
   * Does the same, but leaves the answer of a document that was read to `open`, which must check it with `decodeAnswer`:
   * it was written by a process that has seen a hostile document. What `open` throws, but for AppErrors, says that the
   * answer is none: the process is ended and the document has failed.
   */
  extractTo<T extends { readonly ok: true }>(
    path: string,
    mediaType: string,
    open: (answer: Buffer) => Promise<T>,
    signal?: AbortSignal
  ): Promise<T | ExtractFailure>
  /** Throws `STORE_UNAVAILABLE` when no process for reading can be started here. */
  check(): Promise<void>
  /** Ends all processes. Documents in flight are given up: their calls throw a retryable AppError. */
  close(): Promise<void>
}

/** The media types that `extract` reads. */
export const EXTRACTED_MEDIA_TYPES = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/plain',
  'text/markdown'
] as const

/** A process is replaced after this many documents: pdfjs keeps some memory of each (reliability figures of long runs). */
const MAX_DOCUMENTS = 50
/** Characters of text in one document; a 2,000 page contract has about 4 million. */
const MAX_CHARACTERS = 8_000_000
const PROGRAM = fileURLToPath(new URL('child/main.ts', import.meta.url))

/** Makes an extractor and starts its processes in the background. */
export function createExtractor(options: ExtractorOptions): Extractor {
  return new ProcessPool(options)
}

class ProcessPool implements Extractor {
  readonly version: string
  readonly isolation: Isolation
  private readonly options: ExtractorOptions
  private readonly idle: Promise<ExtractionProcess>[] = []
  private readonly running = new Set<ExtractionProcess>()
  private readonly waiting: (() => void)[] = []
  private readonly prepared: Promise<void>
  private free: number
  private closed = false

  constructor(options: ExtractorOptions) {
    this.options = options
    this.isolation = machineIsolation()
    const { pages, memoryMb, seconds } = options
    this.version = extractorVersion({ pages, memoryMb, seconds, characters: MAX_CHARACTERS })
    this.free = options.slots
    this.prepared = prepareFolder(options.tempDir)
    for (let slot = 0; slot < options.slots; slot++) this.warm()
  }

  extract(path: string, mediaType: string, signal?: AbortSignal): Promise<ExtractOutcome> {
    return this.extractTo(path, mediaType, async answer => documentOf(answer), signal)
  }

  async extractTo<T extends { readonly ok: true }>(
    path: string,
    mediaType: string,
    open: (answer: Buffer) => Promise<T>,
    signal?: AbortSignal
  ): Promise<T | ExtractFailure> {
    if (!EXTRACTED_MEDIA_TYPES.some(known => known === mediaType)) return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
    await this.takeSlot()
    try {
      signal?.throwIfAborted()
      this.throwIfClosed()
      return await this.read({ path, mediaType, ...(signal ? { signal } : {}) }, open)
    } finally {
      this.giveSlot()
    }
  }

  async check(): Promise<void> {
    this.throwIfClosed()
    // A process that is reading was started.
    if (this.running.size > 0) return
    const child = await this.takeProcess()
    const known = this.idle.length + this.running.size
    if (this.closed || known >= this.options.slots) await child.end()
    else this.idle.push(Promise.resolve(child))
  }

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

  private async read<T extends { readonly ok: true }>(
    { path, mediaType, signal }: { readonly path: string; readonly mediaType: string; readonly signal?: AbortSignal },
    open: (answer: Buffer) => Promise<T>
  ): Promise<T | ExtractFailure> {
    const child = await this.takeProcess()
    this.running.add(child)
    let outcome: T | ExtractFailure | null = null
    try {
      const request = { mediaType, pages: this.options.pages, characters: MAX_CHARACTERS }
      const seconds = this.options.seconds
      const reply = await child.ask(path, request, signal ? { seconds, signal } : { seconds })
      signal?.throwIfAborted()
      // A process that was ended with the extractor says nothing about its document.
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
    const failed = !outcome || (!outcome.ok && outcome.reason === 'EXTRACTION_FAILED')
    if (!failed && !this.closed && child.alive && !this.isWorn(child)) {
      this.idle.push(Promise.resolve(child))
      return
    }
    this.warm()
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
    await this.prepared
    const { memoryMb, seconds, tempDir, program = PROGRAM } = this.options
    const limits = { memoryMb, cpuSeconds: 2 * seconds + 2 }
    return ExtractionProcess.start({ isolation: this.isolation, limits, tempDir, program })
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

function documentOf(answer: Buffer): ExtractOutcome & { readonly ok: true } {
  const decoded = decodeAnswer(answer)
  if (decoded.ok) return decoded
  throw new RangeError('an answer that was not marked as a failure is one')
}

async function outcomeOf<T>(reply: Reply, open: (answer: Buffer) => Promise<T>): Promise<T | ExtractFailure> {
  if ('ended' in reply) return { ok: false, reason: 'EXTRACTION_FAILED', detail: reply.ended }
  try {
    return decodeFailure(reply.body) ?? (await open(reply.body))
  } catch (error) {
    if (error instanceof AppError) throw error
    return { ok: false, reason: 'EXTRACTION_FAILED', detail: 'crashed' }
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
