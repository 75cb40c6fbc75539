import type { Io } from '../command.ts'
import { textTable } from '../terminal/text-table.ts'
import type { Client } from './client.ts'
import { type Finished, runBatches, type Screen } from './run-batches.ts'
import { readSampleBatches } from './sample-batches.ts'

export interface DemoOptions {
  readonly client: Client
  /** Prints the verifier's report; 0 when every check passed. */
  readonly verify: () => Promise<number>
  readonly io: Io
}

const HELD_PER_BATCH = 5
const MESSAGE_WIDTH = 90

/** Submits all samples, twice, and prints what became of them; 0 when all ended as expected and nothing twice. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { client, io } = options
  const batches = await readSampleBatches()
  const screen = createScreen(io)
  io.out(`\nSubmitting ${batches.length} batches of samples/:`)
  const first = await runBatches(client, batches, screen)
  io.out('\nOutcomes:')
  for (const line of outcomeTable(first)) io.out(line)
  io.out('\nNot accepted, with the reasons (at most five a batch):')
  for (const line of await reasonLines(client, first)) io.out(line)
  io.out('\nThe same files once more:')
  const again = await runBatches(client, batches, screen)
  const replayed = again.filter(batch => batch.isReplay && first.some(({ id }) => id === batch.id))
  io.out(`${replayed.length} of ${again.length} were answered from the first submission and committed nothing.`)
  io.out('\nVerifying:')
  const verified = await options.verify()
  const faults = faultsOf(first, again)
  for (const fault of faults) io.err(fault)
  return faults.length === 0 && verified === 0 ? 0 : 1
}

/** What is wrong with the outcomes of a first and a second submission, as sentences. */
export function faultsOf(first: readonly Finished[], again: readonly Finished[]): string[] {
  const unexpected = first
    .filter(batch => !batch.isExpected)
    .map(({ name }) => `${name} did not end as samples/manifest.json says`)
  const twice = again
    .filter((batch, i) => !batch.isReplay || batch.id !== first[i]?.id)
    .map(({ name }) => `${name} was worked a second time`)
  return [...unexpected, ...twice]
}

function outcomeTable(finished: readonly Finished[]): string[] {
  const head = ['batch', 'records', 'accepted', 'duplicate', 'quarantined', 'rejected', 'seconds', 'as expected']
  const rows = finished.map(({ name, counts, seconds, isExpected }) => [
    name,
    counts.total,
    counts.accepted,
    counts.duplicate,
    counts.quarantined,
    counts.rejected,
    Number(seconds.toFixed(1)),
    isExpected ? 'yes' : 'NO'
  ])
  return textTable([head, ...rows])
}

async function reasonLines(client: Client, finished: readonly Finished[]): Promise<string[]> {
  const rows: string[][] = [['batch', 'file', 'line', 'state', 'field', 'reason', 'what it says']]
  for (const { id, name, counts } of finished) {
    if (counts.quarantined + counts.rejected === 0) continue
    for (const record of await client.notAccepted(id, HELD_PER_BATCH)) {
      const reason =
        record.reasons.find(({ severity }) => severity === 'block' || severity === 'fatal') ?? record.reasons[0]
      const message = shorten(reason?.message ?? '')
      rows.push([
        name,
        record.filename,
        String(record.line ?? ''),
        record.state,
        reason?.field ?? '',
        reason?.code ?? '',
        message
      ])
    }
  }
  return textTable(rows)
}

function shorten(text: string): string {
  return text.length > MESSAGE_WIDTH ? `${text.slice(0, MESSAGE_WIDTH - 1)}…` : text
}

function createScreen(io: Io): Screen {
  const isTerminal = process.stdout.isTTY
  return {
    update(line) {
      if (isTerminal) process.stdout.write(`\r${line}`)
    },
    finish(line) {
      io.out(isTerminal ? `\r${line}` : line)
    }
  }
}
