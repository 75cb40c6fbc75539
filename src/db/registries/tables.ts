import type { Queryable } from '../pool.ts'

/** Entries of a table that a set of keys is looked up in. */
interface KeysOfDay {
  readonly jurisdiction: string
  readonly keys: readonly string[]
  /** `YYYY-MM-DD`. */
  readonly asOf: string
}

const IN_FORCE = 'effective_from <= $3::date and (effective_to is null or $3::date < effective_to)'

export interface ParcelRow {
  /** The key that was asked for: the parcel's id, or one declared to mean the same. */
  readonly key: string
  readonly parcelId: string
  readonly zoningCode: string | null
  readonly siteAddress: string | null
  readonly ownerName: string | null
  readonly retired: boolean
  readonly equivalents: readonly string[] | null
}

const PARCEL = `p.parcel_id as "parcelId", p.zoning_code as "zoningCode", p.site_address as "siteAddress",
  p.owner_name as "ownerName", p.retired, p.equivalents`

/** Parcels of other names: asked for only where the names themselves were not found, which is seldom. */
async function listEquivalentParcels(
  db: Queryable,
  { jurisdiction, keys, asOf }: KeysOfDay
): Promise<readonly ParcelRow[]> {
  const { rows } = await db.query<ParcelRow>(
    `select k.key, ${PARCEL} from registry_parcel p, unnest($2::text[]) k(key)
     where p.jurisdiction = $1 and p.equivalents is not null and p.equivalents && $2::text[]
       and k.key = any(p.equivalents) and ${IN_FORCE}`,
    [jurisdiction, keys, asOf]
  )
  return rows
}

/** Parcels in force on a day, by their ids and, of those not found so, by declared equivalents. */
export async function listParcels(db: Queryable, asked: KeysOfDay): Promise<readonly ParcelRow[]> {
  const { jurisdiction, keys, asOf } = asked
  const { rows } = await db.query<ParcelRow>({
    name: 'list-parcels',
    text: `select p.parcel_id as key, ${PARCEL} from registry_parcel p
      where p.jurisdiction = $1 and p.parcel_id = any($2::text[]) and ${IN_FORCE}`,
    values: [jurisdiction, keys, asOf]
  })
  const found = new Set(rows.map(row => row.key))
  const missing = keys.filter(key => !found.has(key))
  if (missing.length === 0) return rows
  return [...rows, ...(await listEquivalentParcels(db, { ...asked, keys: missing }))]
}

export interface ZoningRow {
  readonly parcelId: string
  readonly zoningCode: string
  readonly overlays: readonly string[] | null
}

/** Zoning in force on a day by parcel, one statement. */
export async function listZoning(db: Queryable, { jurisdiction, keys, asOf }: KeysOfDay): Promise<ZoningRow[]> {
  const { rows } = await db.query<ZoningRow>({
    name: 'list-zoning',
    text: `select parcel_id as "parcelId", zoning_code as "zoningCode", overlays from registry_zoning
      where jurisdiction = $1 and parcel_id = any($2::text[]) and ${IN_FORCE}`,
    values: [jurisdiction, keys, asOf]
  })
  return rows
}

export interface PropertyRow {
  readonly propertyId: string
  readonly address: string | null
  readonly ownerName: string | null
}

/** Properties in force on a day, one statement. */
export async function listProperties(db: Queryable, { jurisdiction, keys, asOf }: KeysOfDay): Promise<PropertyRow[]> {
  const { rows } = await db.query<PropertyRow>({
    name: 'list-properties',
    text: `select property_id as "propertyId", address, owner_name as "ownerName" from registry_property
      where jurisdiction = $1 and property_id = any($2::text[]) and ${IN_FORCE}`,
    values: [jurisdiction, keys, asOf]
  })
  return rows
}
