import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { Candidate } from '../../profiles/candidate.ts'
import type { FindContext } from '../../profiles/find/find-fields.ts'

/** What a thread is asked: the records of a document, as the extraction process answered it. */
export interface FindRequest {
  readonly answer: Uint8Array
  readonly profile: string
  readonly context: FindContext
}

export type FindResponse =
  | {
      readonly kind: 'found'
      readonly candidates: readonly Candidate[]
      readonly isListing: boolean
      /** Whether some of its pages have no text of their own. */
      readonly hasUnreadPages: boolean
    }
  /** The answer is not one of an extraction process. */
  | { readonly kind: 'malformed' }
  /** A step of ours, or of a profile, failed on this document. */
  | { readonly kind: 'failed'; readonly error: Error }

export interface ThreadData {
  readonly profileFolder: string | undefined
}

export interface FinderOptions extends ThreadData {
  /** Threads at once; each is started when it is first needed. */
  readonly threads: number
  /** How long one document may take; its thread is ended then. */
  readonly seconds: number
}

export interface Finder {
  /**
   * Checks an answer and finds the fields in it, in a thread: for documents of hundreds of pages both take seconds, in
   * which nothing else of a process could go on. Throws the signal's reason, and `STORE_UNAVAILABLE` once closed.
   */
  find(request: FindRequest, signal: AbortSignal): Promise<FindResponse>
  close(): Promise<void>
}

const stopped = (): AppError =>
  new AppError('STORE_UNAVAILABLE', 'Reading of documents has been stopped. Try again later.')

const PROGRAM = new URL('find-thread.ts', import.meta.url)

/** A thread at work on one document; ended when it fails, is aborted or takes too long. */
function ask(thread: Worker, request: FindRequest, seconds: number, signal: AbortSignal): Promise<FindResponse> {
  return new Promise((resolve, reject) => {
    const end = (error: Error): void => {
      stop()
      void thread.terminate()
      reject(error)
    }
    const late = (): void => end(new RangeError('Finding the fields of a document took too long.'))
    const timer = setTimeout(late, seconds * 1000)
    const abort = (): void => end(signal.reason as Error)
    const exit = (): void => end(new Error('The thread that finds fields has ended.'))
    const answered = (response: FindResponse): void => {
      stop()
      resolve(response)
    }
    function stop(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      thread.off('message', answered).off('error', end).off('exit', exit)
    }
    signal.addEventListener('abort', abort)
    thread.on('message', answered).on('error', end).on('exit', exit)
    thread.postMessage(request, [])
  })
}

/** Keeps threads that find fields, at most so many. */
export function createFinder({ threads, seconds, profileFolder }: FinderOptions): Finder {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const waiting: (() => void)[] = []
  let free = threads
  let closed = false

  const start = (): Worker => {
    // Without the parent's own arguments: loaders and inspectors are its own business.
    const thread = new Worker(PROGRAM, { workerData: { profileFolder } satisfies ThreadData, execArgv: [] })
    all.add(thread)
    // An idle thread that fails is replaced when the next document comes, and keeps no process alive.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      all.delete(thread)
      const place = idle.indexOf(thread)
      if (place >= 0) idle.splice(place, 1)
    })
    return thread
  }
  const answer = async (request: FindRequest, signal: AbortSignal): Promise<FindResponse> => {
    const thread = idle.pop() ?? start()
    thread.ref()
    try {
      const response = await ask(thread, request, seconds, signal)
      idle.push(thread)
      return response
    } catch (error) {
      if (closed) throw stopped()
      if (signal.aborted || !(error instanceof Error)) throw error
      return { kind: 'failed', error }
    } finally {
      thread.unref()
    }
  }
  return {
    async find(request, signal) {
      if (free > 0) free -= 1
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        signal.throwIfAborted()
        if (closed) throw stopped()
        return await answer(request, signal)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
    async close() {
      closed = true
      await Promise.all([...all].map(thread => thread.terminate()))
    }
  }
}
