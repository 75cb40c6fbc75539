import type { ClaimedJob } from '../../queue/slots.ts'
import type { RegistryNews } from '../registry-meters.ts'

/** A job as it goes to a thread; its signal stays behind and is told of by a message. */
export type SentJob = Omit<ClaimedJob, 'signal'>

export type ToThread =
  | { readonly kind: 'run'; readonly number: number; readonly job: SentJob }
  /** `stopped`: the worker ends; otherwise the claim was lost. */
  | { readonly kind: 'abort'; readonly number: number; readonly stopped: boolean }
  /** Asks for a sign of life. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }

/** What a job threw, as far as the queue and the log want to know: never its message, which may quote a value. */
export interface SentError {
  readonly code: string
  readonly name: string
  readonly stack: string
}

/** Connections of a pool, by the names `pg` gives them. */
export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  /** A caller of the thread's pool had to wait so long, and how the pool stands. */
  | { readonly kind: 'pool'; readonly waitedSeconds: number; readonly counts: PoolCounts }
  | { readonly kind: 'registry'; readonly news: RegistryNews }
  | { readonly kind: 'settled'; readonly number: number }
  | { readonly kind: 'failed'; readonly number: number; readonly error: SentError }
