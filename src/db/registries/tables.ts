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

/** Parcels in force on a day, by their ids and, of those not found so, by declared equivalents: one statement. */
export async function listParcels(
  db: Queryable,
  { jurisdiction, keys, asOf }: KeysOfDay
): Promise<readonly ParcelRow[]> {
  const { rows } = await db.query<ParcelRow>({
    name: 'list-parcels',
    text: `with exact as materialized (
        select parcel_id, zoning_code, site_address, owner_name, retired, equivalents from registry_parcel
        where jurisdiction = $1 and parcel_id = any($2::text[]) and ${IN_FORCE}
      ), missing as materialized (
        select coalesce(array_agg(key), '{}') as keys from unnest($2::text[]) key
        where not exists (select 1 from exact where parcel_id = key)
      ), other as (
        select k.key, p.* from missing, registry_parcel p, unnest(missing.keys) k(key)
        where p.jurisdiction = $1 and p.equivalents is not null and p.equivalents && missing.keys
          and k.key = any(p.equivalents) and ${IN_FORCE}
      )
      select parcel_id as key, parcel_id as "parcelId", zoning_code as "zoningCode", site_address as "siteAddress",
        owner_name as "ownerName", retired, equivalents from exact
      union all
      select key, parcel_id, zoning_code, site_address, owner_name, retired, equivalents from other`,
    values: [jurisdiction, keys, asOf]
  })
  return rows
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
