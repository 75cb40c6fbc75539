import t from 'tap'
import {
  add,
  centsOf,
  compare,
  exact,
  exactText,
  multiply,
  ROUNDING_MODES,
  roundTo,
  subtract,
  unitsBegun
} from '../../../src/registries/fees/exact.ts'
import { negated, plus, quotient, rest, times, type Whole, wholeOf } from '../../../src/registries/fees/whole.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'

const seed = testSeed()
t.comment(`DOCKET_TEST_SEED=${seed}`)
const ROUNDS = 20_000

/** Whole numbers of all sizes, those around the last safe one among them. */
function anyWhole(random: Random): bigint {
  const near = random.below(4) === 0
  const size = near ? 2n ** 53n + BigInt(random.below(7) - 3) : BigInt(`0${random.digits(random.below(21))}`)
  return random.below(2) === 0 ? size : -size
}

const asGiven = (random: Random, value: bigint): Whole =>
  Number.isSafeInteger(Number(value)) && random.below(4) > 0 ? Number(value) : value

const isPlain = (value: Whole): boolean =>
  typeof value === 'bigint' || (Number.isSafeInteger(value) && !Object.is(value, -0))

t.test('numbers and big ones come to the same', async t => {
  const random = new Random(seed)
  for (let i = 0; i < ROUNDS; i++) {
    const [a, b] = [anyWhole(random), anyWhole(random)]
    const [left, right] = [asGiven(random, a), asGiven(random, b)]
    const [over, by] = [a < 0n ? -a : a, b < 0n ? -b : b]
    const [quick, slow]: [Whole[], bigint[]] = [
      [plus(left, right), times(left, right), negated(left), wholeOf(String(over))],
      [a + b, a * b, -a, over]
    ]
    if (by > 0n) {
      const [whole, unit] = [left < 0 ? negated(left) : left, right < 0 ? negated(right) : right]
      quick.push(quotient(whole, unit), rest(whole, unit))
      slow.push(over / by, over % by)
    }
    if (quick.some((value, at) => !isPlain(value) || BigInt(value) !== slow[at])) {
      t.same(quick.map(String), slow.map(String), `${a} and ${b}`)
      return
    }
  }
  t.pass(`${ROUNDS} pairs`)
})

/** The same by big whole numbers alone, at a scale that holds both. */
const SCALE = 24n
const big = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction) * 10n ** (SCALE - BigInt(fraction.length))
  return text.startsWith('-') ? -units : units
}

const amount = (random: Random, longest: number, sign = ''): string => {
  const fraction = random.digits(random.below(7))
  return `${sign}${random.below(9)}${random.digits(random.below(longest))}${fraction === '' ? '' : `.${fraction}`}`
}

function rounded(value: bigint, step: bigint, mode: (typeof ROUNDING_MODES)[number]): bigint {
  const [whole, left] = [value / step, value % step]
  if (left === 0n || mode === 'floor') return whole * step
  const isHalf = 2n * left === step
  const isUp = mode === 'ceil' || 2n * left > step || (isHalf && (mode === 'half_up' || whole % 2n === 1n))
  return (isUp ? whole + 1n : whole) * step
}

t.test(
  'amounts of any size are added, multiplied, compared, rounded and written as big whole numbers would be',
  async t => {
    const random = new Random(seed + 1)
    const told: string[] = []
    for (let i = 0; i < ROUNDS && told.length === 0; i++) {
      const [a, b] = [amount(random, 15), amount(random, i % 3 === 0 ? 15 : 4)]
      const [left, right] = [exact(a), exact(b)]
      const unit = random.pick(['0.01', '1.00', '0.05', '25'])
      const mode = random.pick(ROUNDING_MODES)
      const say = (what: string, is: bigint, should: bigint): void => {
        if (is !== should) told.push(`${what} of ${a} and ${b}: ${is}, not ${should}`)
      }
      say('sum', big(exactText(add(left, right))), big(a) + big(b))
      say('difference', big(exactText(subtract(left, right))), big(a) - big(b))
      say('product', big(exactText(multiply(left, right))), (big(a) * big(b)) / 10n ** SCALE)
      say('order', BigInt(compare(left, right)), BigInt(big(a) < big(b) ? -1 : Number(big(a) > big(b))))
      say(
        `rounding ${mode} to ${unit}`,
        big(exactText(roundTo(left, exact(unit), mode))),
        rounded(big(a), big(unit), mode)
      )
      if (big(b) > 0n) {
        say('units', BigInt(unitsBegun(left, right).units), (big(a) + big(b) - 1n) / big(b))
      }
      const cents = centsOf(roundTo(left, exact('0.01'), mode))
      if (cents !== undefined) say('cents', BigInt(cents), rounded(big(a), big('0.01'), mode) / 10n ** (SCALE - 2n))
      else if (big(a) < big('90000000000000')) told.push(`no cents of ${a}`)
    }
    t.same(told, [])
  }
)
