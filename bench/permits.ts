/** Words to make descriptions and names of; none of a real person. */
const WORDS =
  'electrical plumbing residential commercial remodel addition garage roof solar panel install replace water heater deck fence foundation permit inspection final rough'.split(
    ' '
  )

export const PERMIT_COLUMNS = [
  'permit_number',
  'parcel_id',
  'permit_type',
  'site_address',
  'applicant_name',
  'contractor_name',
  'applied_date',
  'issued_date',
  'status',
  'valuation',
  'description'
] as const

/** A small generator of its own, so that a seed gives the same rows everywhere (numerical recipes' LCG). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/** As city feeds write them; each has its place in the vocabulary of the profile. */
const TYPES = ['Building', 'Electrical', 'Mechanical', 'Plumbing', 'Demolition', 'Roof'] as const

const two = (n: number): string => String(n).padStart(2, '0')

/** Rows of clean permits with the field lengths of city exports; `tag` keeps the numbers of two runs apart. */
export function permitRows(count: number, tag: string, seed = 42): string[][] {
  const random = randomFrom(seed)
  const below = (n: number): number => Math.floor(random() * n)
  const word = (): string => WORDS[below(WORDS.length)] ?? ''
  const date = (firstMonth: number): string => `2024-${two(firstMonth + below(6))}-${two(1 + below(28))}`
  return Array.from({ length: count }, (_, i) => [
    `BP-${tag}-${String(i).padStart(8, '0')}`,
    String(1_000_000_000 + below(9_000_000_000)),
    TYPES[below(TYPES.length)] ?? 'Building',
    `${1 + below(9999)} ${word()} St`,
    `${word()} ${word()}`,
    `${word()} Inc`,
    date(1),
    date(7),
    ['issued', 'finaled', 'expired'][below(3)] ?? 'issued',
    `${below(500_000)}.${two(below(100))}`,
    Array.from({ length: 9 }, word).join(' ')
  ])
}

/** The rows as a comma-separated file. No cell of them needs quotes. */
export function permitCsv(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(`${[PERMIT_COLUMNS.join(','), ...rows.map(row => row.join(','))].join('\n')}\n`)
}
