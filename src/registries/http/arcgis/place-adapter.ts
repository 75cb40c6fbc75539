import { AppError } from '../../../errors.ts'
import type { Json } from '../../../model/json.ts'
import { type Adapter, type Answer, RegistryFault, type RegistryKind } from '../../registry.ts'
import { answerOf, distinctOf, groupByKey, readRow } from '../mapping/answers.ts'
import { askInHalves, type Rows } from '../mapping/ask-in-halves.ts'
import { valueColumnsOf } from '../mapping/columns.ts'
import { splitBySize, whereOf } from '../mapping/key-lists.ts'
import { memberOf } from '../mapping/pointer.ts'
import { isAskable, readKey } from '../mapping/read-value.ts'
import { createLayer, type Layer, type LayerDeps, type Query } from './layer.ts'
import type { Feature } from './page.ts'
import type { ArcgisSettings } from './settings.ts'
import { createCover, type Point, readShape, samplesOf } from './shapes.ts'

const REQUEST_BYTES = 200_000
/** A point as it is written, with its comma; and the most points that a parcel takes. */
const POINT_BYTES = 30
const POINTS = 9
/** World geodetic system 1984: degrees of longitude and latitude. */
const DEGREES = '4326'

const get = ({ attributes }: Feature, from: string): Json | undefined => memberOf(attributes, from)
/** About a centimetre. */
const SHAPES = { f: 'json', returnGeometry: 'true', outSR: DEGREES, geometryPrecision: '7' }

/** Of a shape that was left out nobody knows what it would have told. */
function wholeRows({ rows, cut }: Rows<Feature>): readonly Feature[] {
  if (cut.size > 0) throw new RegistryFault('transient', 'truncated')
  return rows
}

type Places = ReadonlyMap<string, readonly Point[]>

/** The points that stand for each parcel; none for a parcel that the layer has not, or has without a shape. */
async function placesOf(
  layer: Layer,
  keys: readonly string[],
  settings: ArcgisSettings,
  signal: AbortSignal
): Promise<Places> {
  const { key, paging, requestBytes = REQUEST_BYTES } = settings
  const rest = { ...SHAPES, outFields: [key.from, ...(paging ? [paging.objectId] : [])].join(',') }
  const sets = splitBySize(keys, key, requestBytes - JSON.stringify(rest).length - settings.url.length)
  const replies = await askInHalves(sets, set => layer.query({ ...rest, where: whereOf(set, { key }, '') }, signal))
  const rows = wholeRows(replies)
  const places = new Map<string, readonly Point[]>()
  for (const [parcel, features] of groupByKey(keys, rows, feature => readKey(feature, key, get))) {
    const shapes = features.map(({ geometry }) => readShape(geometry)).filter(shape => shape !== null)
    places.set(parcel, shapes.flatMap(samplesOf))
  }
  return places
}

interface District {
  readonly feature: Feature
  readonly covers: (point: Point) => boolean
}

const overPoints = (points: readonly Point[]): Query => ({
  geometryType: 'esriGeometryMultipoint',
  geometry: JSON.stringify({ points, spatialReference: { wkid: Number(DEGREES) } }),
  inSR: DEGREES,
  spatialRel: 'esriSpatialRelIntersects'
})

/** Every district that holds one of the points of these parcels. */
async function districtsOf(
  layer: Layer,
  places: Places,
  settings: ArcgisSettings,
  { asOf, signal }: { readonly asOf: string; readonly signal: AbortSignal }
): Promise<readonly District[]> {
  const { where = '1=1', paging, requestBytes = REQUEST_BYTES } = settings
  const columns = [...new Set([...valueColumnsOf(settings), ...(paging ? [paging.objectId] : [])])]
  const outFields = settings.columns === 'all' ? '*' : columns.join(',')
  const rest = { ...SHAPES, outFields, where: where.replaceAll('{asOf}', asOf) }
  const parcels = [...places].filter(([, points]) => points.length > 0).map(([parcel]) => parcel)
  const size = Math.max(1, Math.floor(requestBytes / (POINT_BYTES * POINTS)))
  const sets = Array.from({ length: Math.ceil(parcels.length / size) }, (_, i) =>
    parcels.slice(i * size, (i + 1) * size)
  )
  const replies = await askInHalves(sets, set =>
    layer.query({ ...rest, ...overPoints(set.flatMap(parcel => places.get(parcel) ?? [])) }, signal)
  )
  return wholeRows(replies).flatMap(feature => {
    const shape = readShape(feature.geometry)
    return shape ? [{ feature, covers: createCover(shape) }] : []
  })
}

/**
 * The districts of each parcel. One that holds no point of any parcel is of no use; when there is such a one while some
 * parcel has none, the reply is not about our points (`wrong_keys`), and the absence read from it could be false.
 */
function overlay(places: Places, districts: readonly District[]): ReadonlyMap<string, readonly District[]> {
  const used = new Set<District>()
  const found = new Map<string, readonly District[]>()
  for (const [parcel, points] of places) {
    const around = districts.filter(({ covers }) => points.some(covers))
    for (const district of around) used.add(district)
    found.set(parcel, around)
  }
  const isLost = [...places].some(([parcel, points]) => points.length > 0 && found.get(parcel)?.length === 0)
  if (isLost && used.size < districts.length) throw new RegistryFault('transient', 'wrong_keys')
  return found
}

/**
 * Answers parcels from a layer of districts that knows none: the shapes of the parcels come from their own layer, and the
 * districts that hold points of a shape are its answer; several that tell different things are several. Throws
 * `CONFIG_INVALID` for a kind or a method that cannot be asked so.
 */
export function createPlaceAdapter(
  kind: RegistryKind,
  settings: ArcgisSettings,
  parcels: string,
  deps: LayerDeps
): Adapter {
  if (kind !== 'zoning' || settings.method !== 'POST') {
    throw new AppError('CONFIG_INVALID', 'Only zoning is looked up by place ("parcels"), and only by POST.')
  }
  const [parcelLayer, districtLayer] = [createLayer(parcels, settings, deps), createLayer(settings.url, settings, deps)]
  return {
    kind,
    keysPerCall: settings.keysPerCall,
    async lookUp(keys, { asOf, signal }): Promise<ReadonlyMap<string, Answer>> {
      const asked = keys.filter(key => isAskable(key, settings.key))
      const places = await placesOf(parcelLayer, asked, settings, signal)
      const districts = await districtsOf(districtLayer, places, settings, { asOf, signal })
      const found = overlay(places, districts)
      const reader = { kind, mapping: settings, get }
      const answer = (key: string): Answer => {
        const rows = (found.get(key) ?? []).map(({ feature }) => readRow(feature, key, reader))
        return answerOf(distinctOf(rows), false)
      }
      return new Map(keys.map(key => [key, answer(key)] as const))
    }
  }
}
