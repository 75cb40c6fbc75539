import { dollars, grouped, inWords, plain } from '../../../samples/generate/amounts.ts'
import { addDays, addMonths, americanDay, type Day, longDay } from '../../../samples/generate/calendar.ts'
import type { Random } from '../../../samples/generate/random.ts'
import type { Entry } from '../truth.ts'
import { isoDay, leaseFacts, type PolicyFacts, policyFacts } from './facts.ts'

/** What the places of a paper are filled with, and what a careful person then reads in it. */
export interface PaperFacts {
  readonly words: Readonly<Record<string, string>>
  readonly fields: Entry['fields']
  readonly alternates: NonNullable<Entry['alternates']>
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const BANKS = ['Cascade Federal Savings Bank', 'Harborline Mortgage LLC', 'Third Plains Credit Union']

const ordinal = (day: number): string => {
  const end = day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : ''
  return `${day}${end || (day % 10 === 3 && day !== 13 ? 'rd' : 'th')}`
}

/** One day in every way papers write it: `{start:us}`, `{start:long}` … */
function daysOf(name: string, day: Day): Record<string, string> {
  const month = MONTHS[day.month - 1] ?? ''
  const full = longDay(day).split(' ')[0] ?? ''
  const two = (value: number): string => String(value).padStart(2, '0')
  return {
    [`${name}:us`]: americanDay(day),
    [`${name}:long`]: longDay(day),
    [`${name}:short`]: `${month} ${day.day}, ${day.year}`,
    [`${name}:words`]: `${month.toUpperCase()} ${two(day.day)} ${day.year}`,
    [`${name}:dash`]: americanDay(day).replaceAll('/', '-'),
    [`${name}:yy`]: `${two(day.month)}/${two(day.day)}/${two(day.year % 100)}`,
    [`${name}:mil`]: `${two(day.day)}-${month.toUpperCase()}-${day.year}`,
    [`${name}:ord`]: `${ordinal(day.day)} day of ${full}, ${day.year}`,
    [`${name}:iso`]: isoDay(day),
    [`${name}:year`]: String(day.year)
  }
}

function placesOf(random: Random): Record<string, string> {
  const bank = random.pick(BANKS)
  const bankaddress = `PO Box ${random.digits(4)}, Springfield, OH 45501`
  const others = Object.fromEntries(
    [1, 2, 3, 4].map(index => [`other${index}`, grouped(9000 + random.below(60_000))] as const)
  )
  return {
    ...others,
    bank,
    bankaddress,
    loan: random.digits(10),
    digits4: random.digits(4),
    digits6: random.digits(6),
    digits7: random.digits(7),
    suite: String(100 + random.below(300))
  }
}

const upper = (words: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [name.toUpperCase(), text.toUpperCase()]))

/** Amounts of a policy in cents: a total, its three parts, and what may come on top of it or stand beside it. */
function amountsOf(total: number, random: Random): Record<string, number> {
  const third = Math.max(1000, Math.floor(total / 10))
  const first = Math.floor((total - third) * 0.7)
  const half = Math.floor(total * 0.45)
  const [a1, b1] = [Math.floor(half * 0.6), Math.floor((total - half) * 0.6)]
  const [fee, tax] = [2500 + random.below(5000), 1000 + random.below(9000)]
  return {
    total,
    p1: first,
    p2: total - third - first,
    p3: third,
    fee,
    tax,
    grand: total + fee + tax,
    sumfee: total + fee,
    halfa: half,
    halfb: total - half,
    a1,
    a2: half - a1,
    b1,
    b2: total - half - b1
  }
}

const mapped = <Value>(
  amounts: Readonly<Record<string, number>>,
  to: (cents: number) => Value
): Record<string, Value> => Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, to(cents)]))

function policyOf(random: Random, isFirm: boolean): PolicyFacts {
  for (;;) {
    const facts = policyFacts(random)
    if (/\b(?:LLC|Inc\.|P\.C\.|Co\.|Partnership)$/.test(facts.insured) === isFirm) return facts
  }
}

/** Draws a policy for papers. `isFirm` keeps people out of a firm's policy and firms out of a person's. */
export function policyPaper(random: Random, isFirm: boolean): PaperFacts {
  const facts = policyOf(random, isFirm)
  const second = leaseFacts(random, true)
  const amounts = amountsOf(facts.total, random)
  const places = placesOf(random)
  const names = {
    insured: facts.insured,
    carrier: facts.carrier,
    agency: facts.agency,
    agent: facts.other,
    street: facts.address[0],
    town: facts.address[1],
    street2: second.address[0],
    town2: second.address[1]
  }
  const { bank = '', bankaddress = '' } = places
  return {
    words: {
      ...places,
      ...names,
      ...upper({ ...names, bank, bankaddress }),
      ...mapped(amounts, cents => grouped(cents)),
      ...daysOf('start', facts.start),
      ...daysOf('end', facts.end),
      ...daysOf('issued', facts.issued),
      ...daysOf('prevstart', addMonths(facts.start, -facts.months)),
      ...daysOf('changed', addDays(addMonths(facts.start, 3), 4)),
      number: facts.number,
      prior: facts.prior,
      account: facts.account,
      months: String(facts.months),
      'months.words': facts.months === 12 ? 'twelve' : 'six'
    },
    fields: {
      policy_number: facts.number,
      named_insured: facts.insured,
      effective_date: isoDay(facts.start),
      expiration_date: isoDay(facts.end),
      premium_total: plain(facts.total),
      carrier_name: facts.carrier
    },
    alternates: { premium_total: [amounts['sumfee'] ?? 0, amounts['grand'] ?? 0].map(cents => plain(cents)) }
  }
}

const ways = (street: string, town: string, suite: string): string[] =>
  [
    `Unit ${suite}`,
    `Suite ${suite}`,
    `Apt. ${suite}`,
    `Apartment ${suite}`,
    'Heron Bay Plaza',
    'Heron Bay Mall',
    'Heron Bay Storage'
  ].flatMap(unit => [`${unit}, ${street}, ${town}`, `${street}, ${unit}, ${town}`, `${unit} at ${street}, ${town}`])

/** Draws a lease for papers. */
export function leasePaper(random: Random, isHome: boolean): PaperFacts {
  const facts = leaseFacts(random, isHome)
  const places = placesOf(random)
  const [street, town] = facts.address
  const steps = [1, 2, 3, 4, 5].map(year => Math.round(facts.rent * 1.03 ** (year - 1)))
  const money = Object.fromEntries(
    steps.flatMap((cents, index) => {
      const year = index === 0 ? '' : String(index + 1)
      return [
        [`rent${year}`, grouped(cents)],
        [`annual${year}`, grouped(cents * 12)]
      ]
    })
  )
  const years = [1, 2, 3, 4, 5].flatMap(year => [
    daysOf(`y${year}start`, addMonths(facts.start, 12 * (year - 1))),
    daysOf(`y${year}end`, addDays(addMonths(facts.start, 12 * year), -1))
  ])
  const names = { tenant: facts.tenant, landlord: facts.landlord, street, town }
  return {
    words: {
      ...places,
      ...names,
      ...upper(names),
      ...money,
      ...Object.assign({}, ...years),
      ...daysOf('start', facts.start),
      ...daysOf('end', facts.end),
      ...daysOf('signed', facts.signed),
      ...daysOf('prevstart', addMonths(facts.start, -60)),
      ...daysOf('beforestart', addDays(facts.start, -1)),
      lstreet: facts.landlordAddress[0],
      ltown: facts.landlordAddress[1],
      broker: facts.broker,
      person2: policyFacts(random).other,
      deposit: grouped(facts.deposit),
      movein: grouped(facts.rent + facts.deposit),
      area: facts.area.toLocaleString('en-US'),
      months: String(facts.months),
      'months.words': inWords(facts.months).toLowerCase(),
      years: String(facts.months / 12),
      'years.words': inWords(Math.floor(facts.months / 12)).toLowerCase(),
      'rent.words': `${inWords(Math.floor(facts.rent / 100))} Dollars`,
      psf: dollars(Math.round((facts.rent * 12) / facts.area)).slice(1)
    },
    fields: {
      tenant_name: facts.tenant,
      landlord_name: facts.landlord,
      property_address: `${street}, ${town}`,
      lease_start: isoDay(facts.start),
      lease_end: isoDay(facts.end),
      base_rent: plain(facts.rent),
      security_deposit: plain(facts.deposit)
    },
    alternates: {
      property_address: ways(street, town, places['suite'] ?? ''),
      tenant_name: ['doing business as', 'd/b/a'].map(as => `${facts.tenant}, ${as} Corner Kitchen`)
    }
  }
}
