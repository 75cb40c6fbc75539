import { z } from 'zod'
import type { StoredEntry } from '../../db/reads/audit-reads.ts'
import type { Principal } from '../access/principal.ts'
import type { ApiDeps } from '../deps.ts'
import { pageOf, readCursor, writeCursor } from '../http/cursor.ts'
import { problemResponses } from '../http/problem-responses.ts'
import { AuditEntryBody, presentEntry } from '../present/audit-entry.ts'
import { IdParams, Paging, pageSchema } from '../present/schemas.ts'
import type { Route } from '../route.ts'

/** Entries that are answered page by page. */
export interface AuditList<P extends readonly (string | number)[]> {
  readonly url: string
  readonly tag: string
  readonly summary: string
  /** Names the list in its cursors. */
  readonly name: string
  /** Where a page ended. */
  readonly place: z.ZodType<P>
  readonly placeOf: (row: StoredEntry) => P
  /** The entries behind a place of what the id names, which the principal must be allowed to see. */
  readonly load: (
    deps: ApiDeps,
    of: { readonly id: string; readonly principal: Principal },
    page: { readonly after: P | undefined; readonly limit: number }
  ) => Promise<StoredEntry[]>
}

/** A route that answers audit entries of one thing. */
export const auditRoute =
  <P extends readonly (string | number)[]>(list: AuditList<P>): Route =>
  (app, deps) => {
    app.route({
      method: 'GET',
      url: list.url,
      config: { access: ['audit', 'review'] },
      schema: {
        tags: [list.tag],
        summary: list.summary,
        params: IdParams,
        querystring: z.object(Paging),
        response: { 200: pageSchema(AuditEntryBody), ...problemResponses(400, 401, 403, 404, 503) }
      },
      handler: async request => {
        const { limit, cursor } = request.query
        const cursors = `${list.name} of ${request.params.id.toLowerCase()}`
        const after = readCursor(cursors, list.place, cursor)
        const of = { id: request.params.id, principal: request.principal }
        const rows = await list.load(deps, of, { after, limit: limit + 1 })
        const page = pageOf(rows, limit, row => writeCursor(cursors, list.placeOf(row)))
        return { data: page.rows.map(presentEntry), next_cursor: page.nextCursor }
      }
    })
  }
