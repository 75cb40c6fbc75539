import Fastify, { LogController, type RouteOptions } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { AppError } from '../errors.ts'
import { addAccessHooks, addRequestHooks } from './access/access-hooks.ts'
import { createAuthenticator } from './access/authenticate.ts'
import type { ApiDeps } from './deps.ts'
import { answerClientError } from './http/client-error.ts'
import { addDocumentation } from './http/documentation.ts'
import { sendError } from './http/error-handler.ts'
import { refuseUnknownNames } from './http/known-names.ts'
import { lingeringClose } from './http/lingering-close.ts'
import { createMetrics } from './http/metrics.ts'
import { refuseUnstorableText } from './http/storable-text.ts'
import { createOtherMethods } from './other-methods.ts'
import type { App, Route } from './route.ts'
import { consistencyRoute, listCheckpointsRoute } from './routes/audit/checkpoints.ts'
import { eraseKeyRoute, eraseRecordRoute } from './routes/audit/erasure/erase.ts'
import { exportRoute } from './routes/audit/export.ts'
import { getProof } from './routes/audit/get-proof.ts'
import { getHistory } from './routes/audit/history/get-history.ts'
import { listAuditRoute } from './routes/audit/list-audit.ts'
import { disclosureRoute } from './routes/audit/public-export/disclosure.ts'
import { publicExportRoute } from './routes/audit/public-export/public-export.ts'
import { receiptPageRoute, receiptRoute } from './routes/audit/receipt/receipt.ts'
import { cancelBatch, retryBatch } from './routes/batches/batch-actions.ts'
import { errorsFileRoute } from './routes/batches/errors-file.ts'
import { getBatchRoute } from './routes/batches/get-batch.ts'
import { getBatchAudit } from './routes/batches/get-batch-audit.ts'
import { listBatchesRoute } from './routes/batches/list-batches.ts'
import { listRecords } from './routes/batches/list-records.ts'
import { postBatch } from './routes/batches/post-batch.ts'
import { progress } from './routes/batches/progress.ts'
import { csvResults, ndjsonResults } from './routes/batches/results.ts'
import { listMappingsRoute } from './routes/mappings/list-mappings.ts'
import { saveMappingRoute } from './routes/mappings/save-mapping.ts'
import { healthz, readyz } from './routes/operations/health.ts'
import { metricsRoute } from './routes/operations/metrics.ts'
import { listPausesRoute, pauseRoute, resumeRoute } from './routes/operations/pauses.ts'
import { redriveRoute } from './routes/operations/redrive.ts'
import { getSchema, getTemplate, listProfiles } from './routes/profiles/profiles.ts'
import { correctRecord } from './routes/quarantine/correct.ts'
import { listQuarantineRoute } from './routes/quarantine/list-quarantine.ts'
import { rejectRecord } from './routes/quarantine/reject.ts'
import { releaseRecord } from './routes/quarantine/release.ts'
import { retryRecord } from './routes/quarantine/retry.ts'
import { getAnswers } from './routes/records/get-answers.ts'
import { getAudit } from './routes/records/get-audit.ts'
import { getOpening } from './routes/records/get-opening.ts'
import { getPage } from './routes/records/get-page.ts'
import { getPageImage } from './routes/records/get-page-image.ts'
import { getPayload } from './routes/records/get-payload.ts'
import { getRecordRoute } from './routes/records/get-record.ts'
import { listRevisions } from './routes/records/list-revisions.ts'

/** Every route of the API, besides the description of itself. */
const ROUTES: readonly Route[] = [
  postBatch,
  listBatchesRoute,
  getBatchRoute,
  getBatchAudit,
  listRecords,
  progress,
  ndjsonResults,
  csvResults,
  errorsFileRoute,
  cancelBatch,
  retryBatch,
  getRecordRoute,
  listRevisions,
  getOpening,
  getAnswers,
  getAudit,
  getProof,
  getHistory,
  listAuditRoute,
  exportRoute,
  listCheckpointsRoute,
  consistencyRoute,
  eraseRecordRoute,
  eraseKeyRoute,
  publicExportRoute,
  disclosureRoute,
  receiptRoute,
  receiptPageRoute,
  getPayload,
  getPage,
  getPageImage,
  listQuarantineRoute,
  releaseRecord,
  correctRecord,
  rejectRecord,
  retryRecord,
  listProfiles,
  getSchema,
  getTemplate,
  saveMappingRoute,
  listMappingsRoute,
  redriveRoute,
  listPausesRoute,
  pauseRoute,
  resumeRoute,
  healthz,
  readyz
]

/** A request id of the caller's is kept when it is plain; anything else could forge log lines. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

const MAX_HEADER_BYTES = 16_384

function createServer({ limits, logger, newId }: ApiDeps): App {
  return Fastify({
    loggerInstance: logger,
    // Ten seconds, the default, are too few for the documentation's files on a busy machine.
    pluginTimeout: 60_000,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
    },
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxRequestsPerSocket: limits.requestsPerSocket,
    forceCloseConnections: 'idle',
    // An id that is too long is none: it is answered like any other that does not exist.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: {
      // The request timeout has no effect while the one for headers is longer.
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: MAX_HEADER_BYTES
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply)
    }
  }).withTypeProvider<ZodTypeProvider>() as unknown as App
}

/**
 * The API as a server that does not listen yet. It reads nothing of the environment and makes no connections of its own;
 * whoever builds it closes what it was given. `onRoute` is told of every route.
 */
export async function buildApp(deps: ApiDeps, onRoute?: (route: RouteOptions) => void): Promise<App> {
  const app = createServer(deps)
  if (onRoute) app.addHook('onRoute', onRoute)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(sendError)
  const others = createOtherMethods()
  app.addHook('onRoute', others.note)
  app.setNotFoundHandler(async (request, reply) => {
    const methods = others.at(request.url)
    if (methods.length > 0) {
      const allow = methods.join(', ')
      reply.header('allow', allow)
      throw new AppError('METHOD_NOT_ALLOWED', `This address takes ${allow} only.`)
    }
    throw new AppError('NOT_FOUND', 'There is nothing at this address.')
  })
  const metrics = createMetrics(deps)
  addRequestHooks(app, metrics)
  app.addHook('onRoute', refuseUnknownNames)
  addAccessHooks(app, createAuthenticator(deps.intake.pool, deps.nowMs))
  app.addHook('preValidation', refuseUnstorableText)
  app.addHook('onResponse', lingeringClose(deps.limits.lingerMs))
  await addDocumentation(app)
  for (const route of ROUTES) route(app, deps)
  metricsRoute(app, metrics)
  await app.ready()
  return app
}
