import t from 'tap'
import { computeFee } from '../../../src/registries/fees/compute-fee.ts'
import { bracket, permitFee, scheduleOf } from './schedules.ts'

/** Numbers below `below`, the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const money = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`

/** A table whose brackets meet: each base is what the bracket before charges at its top. All in whole cents. */
function continuousTable(random: (below: number) => number) {
  const units = [100n, 1000n, 500n]
  let over = 0n
  let base = BigInt(random(10_000))
  const rows = Array.from({ length: 2 + random(7) }, () => {
    const unit = units[random(units.length)] ?? 100n
    const steps = BigInt(1 + random(40))
    const row = { over, to: over + steps * unit, base, rate: BigInt(random(2000)), unit }
    over = row.to
    base += steps * row.rate
    return row
  })
  return rows
}

const SEED = Number(process.env['SEED'] ?? 20250701)

t.test(`tables that meet give fees that meet, rise, and are what a count by hand gives (seed ${SEED})`, async t => {
  const random = randomOf(SEED)
  let checked = 0
  for (let round = 0; round < 300; round++) {
    const rows = continuousTable(random)
    const schedule = scheduleOf([
      permitFee(
        rows.map(({ over, to, base, rate, unit }) =>
          bracket(String(over), String(to), money(base), money(rate), String(unit))
        )
      )
    ])
    const feeOf = (cents: bigint): number => {
      const fee = computeFee(schedule, { project_valuation: money(cents) })
      if (fee.kind !== 'fee') throw new Error(`no fee for ${money(cents)}`)
      return fee.feeCents
    }
    for (const { over, to, base, rate, unit } of rows) {
      const inside = over * 100n + 1n + BigInt(random(Number((to - over) * 100n)))
      const begun = (inside - over * 100n + unit * 100n - 1n) / (unit * 100n)
      const top = feeOf(to * 100n)
      // A value one cent above a bound begins one unit of the next bracket; at the bound itself nothing jumps.
      const next = rows.find(row => row.over === to)
      const isRight =
        BigInt(feeOf(inside)) === base + begun * rate &&
        BigInt(top) === base + ((to - over) / unit) * rate &&
        feeOf(inside) <= top &&
        (!next || BigInt(feeOf(to * 100n + 1n)) === BigInt(top) + next.rate)
      if (!isRight) t.fail(`round ${round}, bracket over ${over}`)
      checked += 1
    }
  }
  t.ok(checked > 600, `${checked} brackets`)
})
