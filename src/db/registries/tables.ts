import type { Queryable } from '../pool.ts'

/** Which kinds of reference data a jurisdiction has loaded. */
export async function listLoadedKinds(
  db: Queryable,
  jurisdiction: string
): Promise<{ parcel: boolean; feeSchedule: boolean }> {
  const { rows } = await db.query<{ parcel: boolean; feeSchedule: boolean }>(
    `select exists (select 1 from registry_parcel where jurisdiction = $1) as parcel,
       exists (select 1 from registry_fee_schedule where jurisdiction = $1) as "feeSchedule"`,
    [jurisdiction]
  )
  return rows[0] ?? { parcel: false, feeSchedule: false }
}

export interface ParcelRow {
  readonly parcelId: string
  readonly zoningCode: string | null
  readonly siteAddress: string | null
}

/** Parcels in force on a day, for a set of ids in one statement. */
export async function listParcels(
  db: Queryable,
  jurisdiction: string,
  ids: readonly string[],
  asOf: string
): Promise<ParcelRow[]> {
  const { rows } = await db.query<ParcelRow>(
    `select parcel_id as "parcelId", zoning_code as "zoningCode", site_address as "siteAddress" from registry_parcel
     where jurisdiction = $1 and parcel_id = any($2::text[])
       and effective_from <= $3::date and (effective_to is null or $3::date < effective_to)`,
    [jurisdiction, ids, asOf]
  )
  return rows
}
