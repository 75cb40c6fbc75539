import { setTimeout as delay } from 'node:timers/promises'
import { progressBar } from '../terminal/text-table.ts'
import type { Batch, Client } from './client.ts'
import type { Expected, SampleBatch } from './sample-batches.ts'

export interface Finished {
  readonly name: string
  readonly id: string
  readonly isReplay: boolean
  readonly counts: Batch['counts']
  readonly seconds: number
  readonly isExpected: boolean
}

/** Draws over its last line on a terminal; elsewhere only finished batches get a line. */
export interface Screen {
  update(line: string): void
  finish(line: string): void
}

const POLL_MS = 150
const LIMIT_MS = 110_000

/** Submits the batches in order, each when the one before has ended, since later ones change what earlier ones made. */
export async function runBatches(client: Client, batches: readonly SampleBatch[], screen: Screen): Promise<Finished[]> {
  const deadline = Date.now() + LIMIT_MS
  const finished: Finished[] = []
  for (const batch of batches) {
    const startedAt = Date.now()
    const { id, isReplay } = await client.submit(batch)
    const counts = await follow(client, { id, name: batch.name }, { screen, deadline })
    const seconds = (Date.now() - startedAt) / 1000
    finished.push({ name: batch.name, id, isReplay, counts, seconds, isExpected: isExpected(counts, batch.expect) })
  }
  return finished
}

async function follow(
  client: Client,
  batch: { id: string; name: string },
  until: { screen: Screen; deadline: number }
): Promise<Batch['counts']> {
  const title = batch.name.padEnd(24)
  for (;;) {
    const { state, counts, progress } = await client.batch(batch.id)
    if (state === 'completed' || state === 'cancelled') {
      until.screen.finish(`${title} ${progressBar(1)}  ${counts.total} records`)
      return counts
    }
    if (Date.now() > until.deadline) throw new Error(`batch ${batch.name} is still ${state}: ${counts.pending} pending`)
    until.screen.update(`${title} ${progressBar(progress)}`)
    await delay(POLL_MS)
  }
}

/** Sound documents that may be held count as accepted or as quarantined. */
export function isExpected(counts: Batch['counts'], expected: Expected): boolean {
  const held = expected.accepted - counts.accepted
  return (
    counts.total === expected.total &&
    counts.duplicate === expected.duplicate &&
    counts.rejected === expected.rejected &&
    held >= 0 &&
    held <= expected.may_be_held &&
    counts.quarantined === expected.quarantined + held
  )
}
