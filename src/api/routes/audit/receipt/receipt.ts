import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findGround, type ReceiptParts, receiptParts, receiptText } from '../../../../audit/receipt/write-receipt.ts'
import { withSnapshot } from '../../../../db/verify/snapshot.ts'
import { AppError } from '../../../../errors.ts'
import { errorFields } from '../../../../logger.ts'
import type { ApiDeps } from '../../../deps.ts'
import { problemResponses } from '../../../http/problem-responses.ts'
import { PAGE_HEADERS } from '../../../present/html-page.ts'
import { IdParams } from '../../../present/schemas.ts'
import type { Route } from '../../../route.ts'
import { findBatchRef } from '../../batches/find-batch.ts'
import { receiptPage } from './receipt-page.ts'

/** Receipts of a process at once: each holds a connection for as long as its client takes. */
const AT_ONCE = 4
const ACCESS = ['submit', 'read', 'review', 'audit'] as const
const PROBLEMS = problemResponses(400, 401, 403, 404, 409, 429, 503)

interface Form {
  readonly headers: Readonly<Record<string, string>>
  readonly write: (parts: ReceiptParts) => AsyncIterable<string>
}

/** Bounds how many are written at once, and writes them. */
function receiptSender(deps: ApiDeps) {
  let running = 0
  return async (request: FastifyRequest, reply: FastifyReply, id: string, form: Form): Promise<FastifyReply> => {
    const { jurisdiction } = await findBatchRef(deps, id, request.principal)
    await findGround(deps.pool, jurisdiction, id)
    reply.headers(form.headers)
    if (request.method === 'HEAD') return reply.send('')
    if (running >= AT_ONCE) throw new AppError('QUEUE_FULL', 'Other receipts are being written. Ask again shortly.')
    running += 1
    const out = new PassThrough()
    withSnapshot(deps.pool, async tx => {
      const parts = receiptParts(tx, await findGround(tx, jurisdiction, id))
      await pipeline(Readable.from(form.write(parts)), out)
    })
      .catch((error: unknown) => {
        request.log.warn(errorFields(error), 'a receipt was cut off')
        out.destroy()
      })
      .finally(() => {
        running -= 1
      })
    return reply.send(out)
  }
}

export const receiptRoute: Route = (app, deps) => {
  const send = receiptSender(deps)
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/receipt',
    config: { access: ACCESS },
    schema: {
      tags: ['audit'],
      summary:
        'Signed receipt of a batch that has ended: what was filed, when, by whom, and what became of each record',
      params: IdParams,
      response: {
        200: { description: 'The receipt', content: { 'application/json': { schema: z.string() } } },
        ...PROBLEMS
      }
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const signing = await deps.signing()
      const headers = {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="receipt-${id}.json"`
      }
      return send(request, reply, id, { headers, write: parts => receiptText(parts, signing) })
    }
  })
}

export const receiptPageRoute: Route = (app, deps) => {
  const send = receiptSender(deps)
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/receipt.html',
    config: { access: ACCESS },
    schema: {
      tags: ['audit'],
      summary: 'The receipt of a batch as a page to read and print',
      params: IdParams,
      response: { 200: { description: 'A page', content: { 'text/html': { schema: z.string() } } }, ...PROBLEMS }
    },
    handler: async (request, reply) => {
      const headers = { 'content-type': 'text/html; charset=utf-8', ...PAGE_HEADERS }
      return send(request, reply, request.params.id, { headers, write: receiptPage })
    }
  })
}
