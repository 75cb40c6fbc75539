import type { Queryable } from '../pool.ts'

/** Entries of a table that a set of keys is looked up in. */
export interface KeysOfDay {
  readonly jurisdiction: string
  readonly keys: readonly string[]
  /** `YYYY-MM-DD`. */
  readonly asOf: string
}

const IN_FORCE = 'effective_from <= $3::date and (effective_to is null or $3::date < effective_to)'

/**
 * Entries in force on a day by their keys. Each key is looked up by itself, whatever is known of how large the table is: a
 * plan that reads all of it for a chunk would do for small tables only.
 */
const inForce = (table: string, key: string, columns: string): string =>
  `select p.* from unnest($2::text[]) k(key) cross join lateral (
     select ${columns} from ${table} where jurisdiction = $1 and ${key} = k.key collate "C" and ${IN_FORCE} offset 0) p`

export interface ParcelRow {
  readonly parcelId: string
  readonly zoningCode: string | null
  readonly siteAddress: string | null
  readonly ownerName: string | null
  readonly retired: boolean
  readonly equivalents: readonly string[] | null
}

/** A parcel that was found by another name, which is declared to mean the same. */
export interface EquivalentParcelRow extends ParcelRow {
  readonly key: string
}

const PARCEL = `parcel_id as "parcelId", zoning_code as "zoningCode", site_address as "siteAddress",
  owner_name as "ownerName", retired, equivalents`

/** Parcels of other names: to be asked for only where the names themselves were not found, which is seldom. */
export async function listEquivalentParcels(
  db: Queryable,
  { jurisdiction, keys, asOf }: KeysOfDay
): Promise<readonly EquivalentParcelRow[]> {
  const { rows } = await db.query<EquivalentParcelRow>(
    `select k.key, ${PARCEL} from registry_parcel p, unnest($2::text[]) k(key)
     where p.jurisdiction = $1 and p.equivalents is not null and p.equivalents && $2::text[]
       and k.key = any(p.equivalents) and ${IN_FORCE}`,
    [jurisdiction, keys, asOf]
  )
  return rows
}

/** Parcels in force on a day by their ids, one statement. */
export async function listParcels(db: Queryable, { jurisdiction, keys, asOf }: KeysOfDay): Promise<ParcelRow[]> {
  const { rows } = await db.query<ParcelRow>({
    name: 'list-parcels',
    text: inForce('registry_parcel', 'parcel_id', PARCEL),
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
    text: inForce('registry_zoning', 'parcel_id', 'parcel_id as "parcelId", zoning_code as "zoningCode", overlays'),
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
    text: inForce(
      'registry_property',
      'property_id',
      'property_id as "propertyId", address, owner_name as "ownerName"'
    ),
    values: [jurisdiction, keys, asOf]
  })
  return rows
}
