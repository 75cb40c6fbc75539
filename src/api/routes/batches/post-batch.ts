import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { crashPoint } from '../../../crash-points.ts'
import { AppError } from '../../../errors.ts'
import { acceptBatch } from '../../../intake/accept-batch.ts'
import type { Part } from '../../../intake/submission.ts'
import { actorOf, requireJurisdiction } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { createBackpressure } from '../../http/backpressure.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { AcceptedBody } from '../../present/schemas.ts'
import type { App, ReadByHand, Route } from '../../route.ts'
import { type BodyWatch, checkLength, watchBody } from '../../submission/body-watch.ts'
import { multipartParts } from '../../submission/multipart-parts.ts'
import { RAW_TYPES, rawCharsetOf, rawPart, rawTypeOf } from '../../submission/raw-part.ts'

const Query = z.object({
  profile: z.string().max(200).optional().meta({ description: 'Needed, here or in the form: the kind of record' }),
  jurisdiction: z.string().max(200).optional().meta({
    description: 'Needed, here or in the form: a FIPS code of 2, 5 or 7 digits, or a name'
  }),
  source: z.string().max(200).optional().meta({ description: 'Who made the content inside the jurisdiction' }),
  lane: z.string().max(20).optional().meta({ description: 'critical, standard (default) or maintenance' }),
  sheet: z
    .string()
    .max(400)
    .optional()
    .meta({ description: 'name of the sheet to read of a workbook; default: the first visible one' }),
  encoding: z.string().max(100).optional().meta({
    description: 'label of the encoding of all text files; default: what a raw body declares, else the bytes tell'
  }),
  force: z.string().max(10).optional().meta({ description: 'true makes a new batch of content seen before' }),
  dry_run: z.string().max(10).optional().meta({
    description: 'true reports what would become of every record and commits nothing'
  }),
  filename: z.string().max(1000).optional().meta({ description: 'Name of a raw body' })
})

/** Bodies are streamed and the fields of a form come one by one: the schemas check neither. */
function readByHand(): ReadByHand {
  const form = z.toJSONSchema(Query.omit({ filename: true, dry_run: true })).properties
  const file = {
    type: 'array',
    minItems: 1,
    items: { type: 'string', format: 'binary' },
    description: 'Any number of files'
  }
  const raw = { schema: { type: 'string', format: 'binary' } }
  return {
    headers: {
      type: 'object',
      properties: {
        'Idempotency-Key': { type: 'string', description: 'A request with the same key is answered from the first' }
      }
    },
    body: {
      content: {
        'multipart/form-data': { schema: { type: 'object', properties: { ...form, file }, required: ['file'] } },
        ...Object.fromEntries(RAW_TYPES.map(type => [type, raw]))
      }
    }
  }
}

const isMultipart = (request: FastifyRequest): boolean =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')

/** The encoding that the type of a raw body names, if it is one that is read. */
function charsetOf(request: FastifyRequest): string | undefined {
  return isMultipart(request) ? undefined : rawCharsetOf(request.headers['content-type'])
}

/** Refuses before the body is read what can be refused by its headers. */
function checkHeaders(request: FastifyRequest, requestBytes: number): void {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  // A raw body in gzip is kept as it was sent and unfolded like a gzip file.
  const isRead = encoding === 'identity' || (/^(?:x-)?gzip$/i.test(encoding) && !isMultipart(request))
  if (!isRead) {
    throw new AppError(
      'MEDIA_TYPE_UNSUPPORTED',
      'A request body may be encoded as gzip when it is one raw file, and not otherwise. Send the body as it is.'
    )
  }
  checkLength(request.raw, requestBytes)
  if (!isMultipart(request)) rawTypeOf(request.headers['content-type'])
}

function partsOf(deps: ApiDeps, request: FastifyRequest, filename: string | undefined, watch: BodyWatch) {
  const { fileBytes, parts: files } = deps.intake.limits
  return (): AsyncIterable<Part> =>
    isMultipart(request) ? multipartParts(request, watch, { fileBytes, files }) : rawPart(request, filename)
}

async function accept(deps: ApiDeps, request: FastifyRequest, query: z.infer<typeof Query>, reply: FastifyReply) {
  const { filename, encoding = charsetOf(request), ...options } = query
  const fields = { ...options, encoding }
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const key = request.headers['idempotency-key']
  checkHeaders(request, deps.limits.requestBytes)
  const watch = watchBody(request.raw, deps.limits)
  try {
    const { answer, replayed } = await acceptBatch(deps.intake, {
      principal: actorOf(request.principal),
      idempotencyKey: Array.isArray(key) ? key.join(',') : key,
      query: Object.fromEntries(given),
      parts: partsOf(deps, request, filename, watch),
      isRaw: !isMultipart(request),
      authorize: jurisdiction => requireJurisdiction(request.principal, jurisdiction),
      signal: watch.signal
    })
    request.log.info({ batch_id: answer.id, files: answer.files.length, profile: answer.profile }, 'batch accepted')
    crashPoint('intake.before-answer')
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(202).header('location', answer.links.self).send(answer)
  } finally {
    watch.stop()
  }
}

/** `POST /v1/batches`, with parsers of its own: bodies are streamed, never gathered. */
export const postBatch: Route = (parent, deps) => {
  const backpressure = createBackpressure({ ...deps, pool: deps.intake.pool })
  parent.register(async (app: App) => {
    app.removeAllContentTypeParsers()
    await app.register(multipart, { throwFileSizeLimit: false, limits: { fileSize: deps.intake.limits.fileBytes + 1 } })
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.route({
      method: 'POST',
      url: '/v1/batches',
      config: { access: ['submit'], readByHand: readByHand() },
      bodyLimit: Number.MAX_SAFE_INTEGER,
      schema: {
        tags: ['batches'],
        summary: 'Submit files',
        description:
          'multipart/form-data with any number of file parts, or one raw body. Fields may stand in the query or, for multipart, in the form.',
        querystring: Query,
        response: { 202: AcceptedBody, ...problemResponses(400, 401, 403, 409, 413, 415, 422, 429, 503) }
      },
      preHandler: async () => {
        await deps.disk.admit()
        await backpressure()
      },
      handler: (request, reply) => accept(deps, request, request.query, reply)
    })
  })
}
