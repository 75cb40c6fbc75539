import type { Readable, Writable } from 'node:stream'

/**
 * Moves a source into a sink until the source has ended and the sink has taken it all. Unlike a pipeline it never
 * destroys the source, which may be a request whose connection has to carry the answer. Rejects with the sink's error,
 * the source's, or the reason of the signal; the sink is then destroyed.
 */
export async function pump(source: Readable, sink: Writable, signal: AbortSignal): Promise<void> {
  const fail = (error: unknown): void => {
    sink.destroy(error instanceof Error ? error : new Error('The source was given up.'))
  }
  const onAbort = (): void => fail(signal.reason)
  const onClose = (): void => {
    if (!source.readableEnded) fail(new Error('The source ended before its end.'))
  }
  try {
    await new Promise<void>((resolve, reject) => {
      sink.once('finish', resolve)
      sink.once('error', reject)
      source.once('error', fail)
      source.once('close', onClose)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      else if (source.errored) fail(source.errored)
      else if (source.destroyed) onClose()
      else source.pipe(sink)
    })
  } finally {
    source.unpipe(sink)
    source.off('error', fail)
    source.off('close', onClose)
    signal.removeEventListener('abort', onAbort)
  }
}
