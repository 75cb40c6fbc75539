import { basename } from 'node:path'
import { randomOf } from '../../samples/generate/random.ts'

/**
 * What documents of one origin have in common: the layout of generated ones (`policy-panel-17.pdf` → `panel`), the carrier
 * or landlord of collected ones (`auto_geico.pdf` → `geico`).
 */
export function sourceOf(path: string): string {
  const name = basename(path).replace(/\.[a-z]+$/, '')
  const generated = /^(?:policy|lease)-(.+)-\d+$/.exec(name)?.[1]
  return generated ?? name.split('_')[1] ?? name
}

/** One document's part in a share: how many answers, and how many of them count. */
export interface Part {
  readonly source: string
  readonly hits: number
  readonly of: number
}

const RESAMPLES = 2000

/**
 * The 95 % interval of a share when whole sources are drawn again and again (bootstrap): documents of one source fail
 * alike, so that an interval over single answers is too narrow. Follows from the seed.
 */
export function clusteredInterval(parts: readonly Part[], seed: number): readonly [low: number, high: number] {
  const clusters = [...Map.groupBy(parts, ({ source }) => source).values()].map(own => ({
    hits: own.reduce((sum, { hits }) => sum + hits, 0),
    of: own.reduce((sum, part) => sum + part.of, 0)
  }))
  const random = randomOf(seed)
  const shares = Array.from({ length: RESAMPLES }, () => {
    const drawn = clusters.map(() => random.pick(clusters))
    const of = drawn.reduce((sum, cluster) => sum + cluster.of, 0)
    return of === 0 ? 0 : drawn.reduce((sum, { hits }) => sum + hits, 0) / of
  }).toSorted((a, b) => a - b)
  return [shares[Math.floor(RESAMPLES * 0.025)] ?? 0, shares[Math.floor(RESAMPLES * 0.975)] ?? 0]
}
