import type { BatchView } from '../../../db/batches.ts'

export interface BatchEvent {
  /** Changes exactly when something to tell has changed. */
  readonly id: string
  readonly batch: BatchView
}

export interface BatchWatcher {
  /** Calls `listen` with the present state and each change, until the answered function is called. */
  watch(batch: BatchView, listen: (event: BatchEvent) => void): () => void
  /** Ends every watch. */
  close(): void
}

/** Names a state and its counts; what a client gives back as Last-Event-ID. */
export const eventIdOf = (batch: BatchView): string =>
  [batch.state, batch.total, batch.pending, batch.accepted, batch.duplicate, batch.quarantined, batch.rejected]
    .concat(batch.cancelled)
    .join('.')

interface Watched {
  readonly listeners: Set<(event: BatchEvent) => void>
  readonly timer: NodeJS.Timeout
  last: BatchEvent
}

/**
 * Reads each watched batch once per interval, however many clients watch it. `load` answers undefined for a batch that is
 * gone; a load that fails is left out, the next one tells.
 */
export function createBatchWatcher(
  load: (batch: BatchView) => Promise<BatchView | undefined>,
  intervalMs: number
): BatchWatcher {
  const watched = new Map<string, Watched>()

  const poll = async (id: string): Promise<void> => {
    const entry = watched.get(id)
    if (!entry) return
    const batch = await load(entry.last.batch).catch(() => undefined)
    if (!batch) return
    const event = { id: eventIdOf(batch), batch }
    if (event.id === entry.last.id) return
    entry.last = event
    for (const listen of entry.listeners) listen(event)
  }

  const start = (batch: BatchView): Watched => {
    const timer = setInterval(() => void poll(batch.id), intervalMs)
    const entry = { listeners: new Set<(event: BatchEvent) => void>(), timer, last: { id: eventIdOf(batch), batch } }
    watched.set(batch.id, entry)
    return entry
  }

  const leave = (id: string, listen: (event: BatchEvent) => void): void => {
    const entry = watched.get(id)
    entry?.listeners.delete(listen)
    if (!entry || entry.listeners.size > 0) return
    clearInterval(entry.timer)
    watched.delete(id)
  }

  return {
    watch(batch, listen) {
      const entry = watched.get(batch.id) ?? start(batch)
      entry.listeners.add(listen)
      listen({ id: eventIdOf(batch), batch })
      return () => leave(batch.id, listen)
    },
    close() {
      for (const { timer } of watched.values()) clearInterval(timer)
      watched.clear()
    }
  }
}
