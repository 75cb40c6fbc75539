import { z } from 'zod'
import { Address, mappingShape, Network } from '../mapping/rules.ts'

/** A column, qualified by its table where layers are joined. */
const Column = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.]{0,127}$/, 'is the name of a column')

/** A layer of a FeatureServer or MapServer, ending in its number. */
const Layer = Address.regex(
  /\/(?:FeatureServer|MapServer)\/\d{1,6}$/,
  'ends in FeatureServer or MapServer and the number of a layer'
)

/** What a registry behind ArcGIS REST needs besides what all have. */
export const ArcgisSettings = z.strictObject({
  adapter: z.literal('arcgis'),
  url: Layer,
  ...mappingShape(Column),
  /** A condition that every row must meet, in the server's SQL; `{asOf}` becomes the day asked about. */
  where: z.string().min(1).max(1000).optional(),
  method: z.enum(['GET', 'POST']).default('POST'),
  keysPerCall: z.number().int().min(1).max(1000).default(500),
  /** Most bytes of one request's parameters; keys that need more are asked in several requests. */
  requestBytes: z.number().int().min(500).max(1_000_000).optional(),
  /** `all`: the server fails when columns are listed together with paging. */
  columns: z.enum(['listed', 'all']).default('listed'),
  /** Rows the server gives at most, for one so old that it does not say that it kept others back. */
  maxRecordCount: z.number().int().min(1).max(1_000_000).optional(),
  /** Replies that are not whole are read on page by page in the order of this column, instead of asked again in halves. */
  paging: z.strictObject({ objectId: Column, pages: z.number().int().min(2).max(50).default(8) }).optional(),
  /** How the secret is used: as a token, or as a name and password that a token is got for at this address. */
  auth: z.union([z.literal('token'), z.strictObject({ generateToken: Address })]).optional(),
  /**
   * Zoning by place, for a layer without parcel identifiers: `key` is a column of this layer of parcels, whose shapes are
   * laid over the layer of `url`.
   */
  parcels: Layer.optional(),
  network: Network
})

export type ArcgisSettings = z.infer<typeof ArcgisSettings>
