import type { ExistingHead, HeadRow } from '../../db/work/heads.ts'

/** An acceptable record on its way to a head. */
export interface Contender {
  readonly recordId: string
  readonly naturalKey: string
  readonly idempotencyKey: string
  readonly item: number
}

/** What became of a contender: a new version, or a duplicate of the record that brought the current one. */
export interface HeadOutcome {
  readonly version: number
  readonly duplicateOf: string | null
}

export interface HeadPlan {
  readonly outcomes: ReadonlyMap<string, HeadOutcome>
  /** Heads of natural keys that had none; `repeated` when the set brings the key more than once. */
  readonly inserts: readonly (HeadRow & { readonly repeated: boolean })[]
  /** Heads that gain versions or are confirmed by a later place. `moved`: version and place change. */
  readonly updates: readonly (HeadRow & { readonly moved: boolean })[]
}

interface Progress {
  readonly naturalKey: string
  version: number
  lastVersion: number
  idempotencyKey: string
  recordId: string
  item: number
  isNew: boolean
  moved: boolean
  /** Whether more than the first version of the set came to it. */
  repeated: boolean
  /** Whether a place in the batch being committed comes after the head's. */
  isLater: (item: number) => boolean
}

const isAlwaysLater = (): boolean => true

const start = (row: Contender): Progress => ({
  naturalKey: row.naturalKey,
  version: 1,
  lastVersion: 1,
  idempotencyKey: row.idempotencyKey,
  recordId: row.recordId,
  item: row.item,
  isNew: true,
  moved: false,
  repeated: false,
  isLater: isAlwaysLater
})

function resume(head: ExistingHead, fileNumber: number): Progress {
  const isLater = (item: number): boolean => {
    if (head.batchOrder !== 0) return head.batchOrder < 0
    return head.fileNumber === fileNumber ? item > head.item : fileNumber > head.fileNumber
  }
  return { ...head, isNew: false, moved: false, repeated: false, isLater }
}

/** Moves the head to this row's place; rows come in order, so every later row of the set is later than it. */
function moveTo(head: Progress, row: Contender): void {
  head.item = row.item
  head.moved = true
  head.repeated = true
  head.isLater = isAlwaysLater
}

function step(head: Progress, row: Contender): HeadOutcome {
  const later = head.isLater(row.item)
  if (head.idempotencyKey === row.idempotencyKey) {
    const outcome = { version: head.version, duplicateOf: head.recordId }
    // The head's place follows the latest record that says the same: content from between the two places, committed
    // later than both, must not win.
    if (later) moveTo(head, row)
    return outcome
  }
  head.lastVersion += 1
  head.repeated = true
  if (later) {
    Object.assign(head, { version: head.lastVersion, idempotencyKey: row.idempotencyKey, recordId: row.recordId })
    moveTo(head, row)
  }
  return { version: head.lastVersion, duplicateOf: null }
}

/**
 * Decides versions and heads for the acceptable records of one set, given in order of their place, against the heads that
 * exist. Pure. A later place with other content becomes the head; an earlier one becomes a version that is superseded on
 * arrival; the same content as the head's is a duplicate.
 */
export function planHeads(
  rows: readonly Contender[],
  existing: ReadonlyMap<string, ExistingHead>,
  fileNumber: number
): HeadPlan {
  const heads = new Map<string, Progress>()
  const outcomes = new Map<string, HeadOutcome>()
  for (const row of rows) {
    let head = heads.get(row.naturalKey)
    if (!head) {
      const found = existing.get(row.naturalKey)
      head = found ? resume(found, fileNumber) : start(row)
      heads.set(row.naturalKey, head)
      if (!found) {
        outcomes.set(row.recordId, { version: 1, duplicateOf: null })
        continue
      }
    }
    outcomes.set(row.recordId, step(head, row))
  }
  const all = [...heads.values()]
  return {
    outcomes,
    inserts: all.filter(head => head.isNew),
    updates: all.filter(head => !head.isNew && head.repeated)
  }
}
