import { writeFileSync } from 'node:fs'

/**
 * Every place between two effects where a process may be told to die, by the process that passes it. Tests run each of
 * them; nothing else arms them.
 */
// biome-ignore format: a table
export const CRASH_POINTS = {
  api: [
    'intake.key-reserved', 'intake.file-spooled', 'intake.received', 'store.file-synced', 'store.file-moved',
    'store.folder-synced', 'intake.stored', 'intake.planned', 'intake.keys-bound', 'intake.entries-written',
    'intake.batch-inserted', 'intake.chunks-inserted', 'intake.before-commit', 'intake.committed', 'intake.before-answer',
    'cancel.chunks-cancelled', 'cancel.before-commit', 'cancel.committed', 'retry.requested', 'retry.before-commit',
    'retry.committed', 'decide.applied', 'decide.committed', 'erase.values-destroyed', 'erase.entry-written',
    'erase.before-commit', 'erase.committed', 'erase.key-hidden', 'settle.written', 'settle.before-commit',
    'settle.committed', 'payload.overwritten', 'payload.change-ended'
  ],
  worker: [
    'split.launched', 'split.unpacked', 'split.progress-before-commit', 'split.progress-committed', 'split.chunks-inserted',
    'split.entry-written', 'split.before-commit', 'split.committed', 'archive.stored', 'archive.before-commit',
    'archive.committed', 'chunk.launched', 'chunk.processed', 'commit.before-begin', 'commit.locked', 'commit.settled',
    'commit.records-written', 'commit.sealed', 'commit.answers-kept', 'commit.chunk-ended', 'commit.next-enqueued',
    'commit.before-commit', 'commit.committed', 'complete.locked', 'complete.entry-written', 'complete.before-commit',
    'complete.committed', 'document.copied', 'extraction.launched', 'extraction.process-started', 'extraction.answered',
    'extraction.stored', 'extraction.finished', 'ocr.before-commit', 'ocr.committed', 'seal.locked', 'seal.placed',
    'seal.tiles-written', 'seal.before-commit', 'seal.committed', 'publish.draft-written', 'publish.linked',
    'publish.pointed', 'publish.noted', 'redrive.ran', 'redrive.applied', 'redrive.before-commit', 'redrive.committed',
    'corrections.claimed', 'corrections.replaced', 'corrections.settled', 'registry.asked', 'registry.kept',
    'sweep.spool-removed', 'sweep.payload-removed', 'retention.records-erased', 'retention.file-removed',
    'retention.batch-noted', 'payload.removed'
  ]
} as const

export type CrashPoint = (typeof CRASH_POINTS)[keyof typeof CRASH_POINTS][number]

/** `NAME:PASS:MARK`: the process dies at that pass of the point, unless the file MARK is there, which it makes first. */
// The only environment that is read outside the configuration: it is none, and must cost nothing where it is not set.
const armed = process.env['DOCKET_CRASH_AT']

function armedAt(text: string): (name: CrashPoint) => void {
  const [target, pass = '1', ...mark] = text.split(':')
  let left = Number(pass)
  return name => {
    if (name !== target || --left !== 0) return
    try {
      writeFileSync(mark.join(':'), name, { flag: 'wx' })
    } catch {
      return
    }
    process.kill(process.pid, 'SIGKILL')
    // The signal ends every thread; none of them goes a step further meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
}

/** Passes a named point between two effects. Does nothing, unless a test has armed it: then this process ends here, unprepared. */
export const crashPoint: (name: CrashPoint) => void = armed === undefined ? () => undefined : armedAt(armed)
