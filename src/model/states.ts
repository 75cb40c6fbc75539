/**
 * Terminology: one meaning each, here, in SQL, in the API and in the documents.
 *
 * batch: one submission. file: one uploaded file of it. chunk: up to 500 records of a data file, or one
 * document; the unit of a job, of a commit and of counting. record: one application, policy or lease as
 * submitted. canonical record: a version of accepted content; head: the current version of one natural
 * key. lane: how urgent. A test compares these lists with the database's CHECKs.
 */
export const BATCH_STATES = ['queued', 'processing', 'completed', 'cancelled'] as const
export type BatchState = (typeof BATCH_STATES)[number]

export const FILE_STATES = ['received', 'splitting', 'split', 'cancelled'] as const

export const CHUNK_STATES = ['pending', 'committed', 'cancelled'] as const

export const RECORD_STATES = ['accepted', 'quarantined', 'rejected'] as const
export type RecordState = (typeof RECORD_STATES)[number]

/** A job's priority in its queue; a higher number is fetched first. */
export const LANE_PRIORITY = { critical: 20, standard: 10, maintenance: 0 } as const
export type Lane = keyof typeof LANE_PRIORITY
export const LANES = ['critical', 'standard', 'maintenance'] as const satisfies readonly Lane[]

/** What can happen to a subject, in the words of its audit entries. */
export const TRANSITIONS = [
  'received',
  'chunked',
  'extracted',
  'enriched',
  'validated',
  'accepted',
  'quarantined',
  'rejected',
  'corrected',
  'released',
  'retried',
  'cancelled',
  'completed',
  'downloaded',
  'erased',
  'payload_removed',
  'payload_overwritten',
  'hold_placed',
  'hold_lifted'
] as const
/** Those after which a subject is in the state that it was in. */
export const NEUTRAL_TRANSITIONS: ReadonlySet<string> = new Set(['downloaded', 'hold_placed', 'hold_lifted'])
export type Transition = (typeof TRANSITIONS)[number]

/** API key scopes. */
export const SCOPES = ['submit', 'read', 'review', 'audit', 'erase', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
