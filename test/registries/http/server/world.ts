import { type Answer, MAX_CANDIDATES, type RegistryRecord } from '../../../../src/registries/registry.ts'

/** How many parcels are known by number; every tenth does not exist. */
export const WORLD = 250_000

/** One parcel as the registry keeps it. */
export interface Row {
  readonly oid: number
  readonly pin: string
  readonly zone: string
  readonly address: string
  /** Blank for some, as registries write nothing. */
  readonly owner: string
  readonly status: 'A' | 'R'
  readonly overlays: readonly string[]
  /** Days since 1970, from 2020 to 2025. */
  readonly updated: number
}

/** Most keys are of digits; some hold what a careless query would stumble over. */
export const keyOf = (n: number): string =>
  n % 50 === 7 ? `O'${n}-B` : n % 50 === 8 ? `${n} (REAR) % _` : `10${String(n).padStart(12, '0')}`

function numberOf(key: string): number | undefined {
  const n = Number(/^(?:O'(\d+)-B|(\d+) \(REAR\) % _|10(\d{12}))$/.exec(key)?.slice(1).find(Boolean))
  return n >= 0 && n < WORLD && keyOf(n) === key ? n : undefined
}

const mixed = (n: number, salt: number): number => (Math.imul(n ^ salt, 0x9e3779b1) >>> 8) % 1000

function countOf(n: number): number {
  if (n % 10 === 0) return 0
  if (n % 193 === 5) return 25
  return n % 97 === 1 || n % 101 === 3 ? 2 : 1
}

/** Rows of one key: none, one, several that differ, several that are equal but for their number, or very many. */
export function rowsOf(key: string): readonly Row[] {
  const n = numberOf(key)
  if (n === undefined) return []
  return Array.from({ length: countOf(n) }, (_, i) => {
    const salt = n % 101 === 3 && n % 193 !== 5 ? 0 : i
    return {
      oid: n * 32 + i + 1,
      pin: key,
      zone: `R-${mixed(n, salt)}`,
      address: `${mixed(n, salt + 7) + 1} O'FARRELL ST`,
      owner: mixed(n, 3) < 100 ? ' ' : `OWNER ${mixed(n, 5)}`,
      status: mixed(n, 11) < 30 ? 'R' : 'A',
      overlays: mixed(n, 13) < 200 ? ['HISTORIC', 'AE'] : [],
      updated: 18_262 + mixed(n, 17)
    }
  })
}

const recordOf = (row: Row): RegistryRecord => ({
  parcelId: row.pin,
  zoningCode: row.zone,
  siteAddress: row.address,
  ownerName: row.owner.trim() === '' ? null : row.owner,
  retired: row.status === 'R',
  overlays: row.overlays.length === 0 ? null : row.overlays
})

const isoOf = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** What every right adapter answers for a key. */
export function truthOf(key: string): Answer {
  const rows = rowsOf(key)
  const [first, ...others] = rows
  if (!first) return { kind: 'no_match' }
  if (others.length === 0) return { kind: 'match', value: recordOf(first), asOf: isoOf(first.updated) }
  const candidates = rows.slice(0, MAX_CANDIDATES).map(recordOf)
  return { kind: 'several', candidates, ...(rows.length > MAX_CANDIDATES ? { more: true } : {}) }
}
