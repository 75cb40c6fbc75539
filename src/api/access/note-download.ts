import type { FastifyRequest } from 'fastify'
import type { Json } from '../../model/json.ts'
import type { ApiDeps } from '../deps.ts'
import { actorOf } from './principal.ts'

/**
 * Has the audit trail say who downloads what, to be awaited before anything is sent. A HEAD request sends nothing and is
 * not a download.
 */
export async function noteDownload(
  deps: Pick<ApiDeps, 'review'>,
  request: FastifyRequest,
  subject: { readonly kind: 'batch' | 'record'; readonly jurisdiction: string; readonly id: string },
  download: { readonly what: string; readonly detail?: { readonly [name: string]: Json } }
): Promise<void> {
  if (request.method === 'HEAD') return
  const { kind, jurisdiction, id } = subject
  await deps.review.noteDownload({ kind, jurisdiction, id, actor: actorOf(request.principal), ...download })
}
