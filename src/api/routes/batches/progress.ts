import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { type BatchView, getBatch } from '../../../db/batches.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentBatch } from '../../present/present-batch.ts'
import { IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { type BatchEvent, type BatchWatcher, createBatchWatcher, eventIdOf } from './batch-watcher.ts'
import { findBatch } from './find-batch.ts'

/** How often a watched batch is read. */
const POLL_MS = 1000

/** A comment this often keeps proxies from closing a quiet stream. */
const COMMENT_MS = 15_000

/** What a client waits before it connects again. */
const RETRY_MS = 2000

const isFinal = (batch: BatchView): boolean => batch.state === 'completed' || batch.state === 'cancelled'

const textOf = ({ id, batch }: BatchEvent): string =>
  `id: ${id}\nevent: ${isFinal(batch) ? 'end' : 'progress'}\ndata: ${JSON.stringify(presentBatch(batch))}\n\n`

/** The stream of one client: the state now, each change, and the end when the batch has ended. */
function openStream(watcher: BatchWatcher, batch: BatchView, lastEventId: string | undefined): PassThrough {
  const stream = new PassThrough()
  stream.write(`retry: ${RETRY_MS}\n\n`)
  const comment = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(': still here\n\n')
  }, COMMENT_MS)
  let leave = (): void => undefined
  const listen = (event: BatchEvent): void => {
    const isKnown = event.id === lastEventId && !isFinal(event.batch)
    // A client that does not read gets the next event instead of a heap of old ones.
    const isBehind = stream.writableNeedDrain && !isFinal(event.batch)
    if (!isKnown && !isBehind) stream.write(textOf(event))
    if (isFinal(event.batch)) stream.end()
  }
  stream.once('close', () => {
    clearInterval(comment)
    leave()
  })
  leave = watcher.watch(batch, listen)
  return stream
}

export const progress: Route = (app, deps) => {
  const watcher = createBatchWatcher(batch => getBatch(deps.pool, batch.id, [batch.jurisdiction]), POLL_MS)
  const streams = new Set<PassThrough>()
  app.addHook('preClose', async () => {
    watcher.close()
    for (const stream of streams) stream.destroy()
  })
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/progress',
    config: { access: ['read', 'submit', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'Progress as server-sent events',
      description: 'Events `progress` and, last, `end`; the data is the batch as GET /v1/batches/{id} shows it.',
      params: IdParams,
      response: {
        200: { description: 'Event stream', content: { 'text/event-stream': { schema: z.string() } } },
        204: z.null().meta({ description: 'The batch has ended and Last-Event-ID was its end' }),
        ...problemResponses(400, 401, 403, 404, 503)
      }
    },
    handler: async (request, reply) => {
      const batch = await findBatch(deps, request.params.id, request.principal)
      const header = request.headers['last-event-id']
      const lastEventId = typeof header === 'string' ? header : undefined
      if (lastEventId === eventIdOf(batch) && isFinal(batch)) return reply.code(204).send(null)
      const stream = openStream(watcher, batch, lastEventId)
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      return reply
        .type('text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream as never)
    }
  })
}
