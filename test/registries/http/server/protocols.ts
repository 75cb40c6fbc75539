import { randomUUID } from 'node:crypto'
import type { Json } from '../../../../src/model/json.ts'
import { readWhere } from './read-where.ts'
import { type Row, rowsOf } from './world.ts'

export interface Question {
  readonly method: string
  readonly path: string
  /** Of the address and of a form, together. */
  readonly parameters: URLSearchParams
  /** The JSON of the request, if it is. */
  readonly body: Json | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A right reply, before anything is done to it. */
export interface Reply {
  readonly protocol: 'arcgis' | 'socrata' | 'json'
  readonly status: number
  readonly body: Json
}

type Cells = { readonly [name: string]: Json }

export const LAYER = '/arcgis/rest/services/Parcels/FeatureServer/0'
export const DATASET = 'ab12-cd34'

const DAY = 86_400_000

/** ArcGIS: every column is there, nothing is a blank, dates are milliseconds. */
export const attributesOf = (row: Row): Cells => ({
  OBJECTID: row.oid,
  PIN: row.pin,
  ZONE: row.zone,
  ADDR: row.address,
  OWNER: row.owner,
  STATUS: row.status,
  OVERLAYS: row.overlays.join(';') || null,
  UPDATED: row.updated * DAY
})

/** Socrata: nulls are left out, dates have a time without a zone. */
export const cellsOf = (row: Row): Cells => ({
  pin: row.pin,
  zone: row.zone,
  addr: row.address,
  ...(row.owner.trim() === '' ? {} : { owner: row.owner }),
  status: row.status,
  ...(row.overlays.length > 0 ? { overlays: row.overlays.join(';') } : {}),
  updated: new Date(row.updated * DAY).toISOString().replace('Z', '')
})

/** An interface of its own: nested, with lists and booleans. */
export const objectOf = (row: Row): Cells => ({
  id: row.pin,
  zoning: { code: row.zone, overlays: row.overlays.length > 0 ? row.overlays : null },
  situs: row.address,
  owners: [{ name: row.owner }],
  isRetired: row.status === 'R',
  updated: new Date(row.updated * DAY).toISOString().slice(0, 10)
})

const arcgis = (body: Json): Reply => ({ protocol: 'arcgis', status: 200, body })
const socrata = (status: number, body: Json): Reply => ({ protocol: 'socrata', status, body })
const json = (status: number, body: Json): Reply => ({ protocol: 'json', status, body })

const badQuery = (details: string): Reply =>
  arcgis({ error: { code: 400, message: 'Cannot perform query. Invalid query parameters.', details: [details] } })

const allRows = (keys: readonly string[]): readonly Row[] =>
  keys.flatMap(rowsOf).toSorted((one, other) => one.oid - other.oid)

function only(cells: Cells, columns: readonly string[]): Cells {
  return Object.fromEntries(Object.entries(cells).filter(([name]) => columns.includes(name)))
}

const ARCGIS_COLUMNS = ['OBJECTID', 'PIN', 'ZONE', 'ADDR', 'OWNER', 'STATUS', 'OVERLAYS', 'UPDATED']
const SOCRATA_COLUMNS = ['pin', 'zone', 'addr', 'owner', 'status', 'overlays', 'updated']

function answerArcgis({ parameters }: Question, maxRecordCount: number): Reply {
  const keys = readWhere(parameters.get('where') ?? '', 'PIN')
  const columns = (parameters.get('outFields') ?? '').split(',')
  if (parameters.get('f') !== 'json' || !keys) return badQuery("'where' parameter is invalid")
  if (columns.some(column => column !== '*' && !ARCGIS_COLUMNS.includes(column))) {
    return badQuery("'outFields' parameter is invalid")
  }
  const offset = Number(parameters.get('resultOffset') ?? 0)
  if (offset > 0 && parameters.get('orderByFields') !== 'OBJECTID')
    return badQuery("'orderByFields' parameter is invalid")
  const rows = allRows(keys)
  const page = rows.slice(offset, offset + maxRecordCount)
  const wanted = columns.includes('*') ? ARCGIS_COLUMNS : columns
  return arcgis({
    displayFieldName: 'PIN',
    ...(page.length > 0 ? { fields: wanted.map(name => ({ name })) } : {}),
    features: page.map(row => ({ attributes: only(attributesOf(row), wanted) })),
    ...(rows.length > offset + page.length ? { exceededTransferLimit: true } : {})
  })
}

const noColumn = (): Reply =>
  socrata(400, { code: 'query.soql.no-such-column', error: true, message: 'No such column', data: {} })

function answerSocrata(where: string, select: string, limit: number, order: string | null): Reply {
  const keys = readWhere(where, 'pin')
  if (!keys || order !== ':id') return socrata(400, { code: 'query.compiler.malformed', error: true, message: 'bad' })
  const columns = select.split(',')
  if (columns.some(column => !SOCRATA_COLUMNS.includes(column))) return noColumn()
  return socrata(
    200,
    allRows(keys)
      .slice(0, limit)
      .map(row => only(cellsOf(row), columns))
  )
}

function answerSocrata3(body: Json | undefined): Reply {
  const { query, page } = (body ?? {}) as { query?: string; page?: { pageSize: number } }
  const found = /^SELECT (.+?) WHERE (.+) ORDER BY (:id)$/.exec(query ?? '')
  return answerSocrata(found?.[2] ?? '', found?.[1] ?? '', page?.pageSize ?? 0, found?.[3] ?? null)
}

function answerMany(keys: readonly string[]): Reply {
  const rows = allRows(keys)
  return json(200, { requestId: randomUUID(), total: rows.length, data: { parcels: rows.map(objectOf) } })
}

function answerOne(key: string): Reply {
  const rows = rowsOf(key)
  if (rows.length === 0) return json(404, { code: 'NOT_FOUND' })
  return json(200, { data: { parcels: rows.map(objectOf) }, total: rows.length })
}

/** The right reply to a question; 404 for a path that none of the protocols has. */
export function answer(question: Question, maxRecordCount: number): Reply {
  const { path, parameters, body } = question
  if (path === `${LAYER}/query`) return answerArcgis(question, maxRecordCount)
  if (path === `/resource/${DATASET}.json`) {
    const get = (name: string): string => parameters.get(name) ?? ''
    return answerSocrata(get('$where'), get('$select'), Number(get('$limit')), parameters.get('$order'))
  }
  if (path === `/api/v3/views/${DATASET}/query.json`) return answerSocrata3(body)
  if (path === '/v1/parcels') return answerMany((parameters.get('ids') ?? '').split(','))
  if (path === '/v1/search') return answerMany((body as { ids: string[] }).ids)
  if (path.startsWith('/v1/parcels/')) return answerOne(decodeURIComponent(path.slice('/v1/parcels/'.length)))
  return json(404, { code: 'NO_SUCH_PATH' })
}
