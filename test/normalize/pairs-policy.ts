import { percentOf, sumAmounts, sumMatches } from '../../src/normalize/amounts/sums.ts'
import { readFormNumber } from '../../src/normalize/codes/form-number.ts'
import { readNaic } from '../../src/normalize/codes/naic.ts'
import { readPolicyNumber } from '../../src/normalize/codes/policy-number.ts'
import { readVin } from '../../src/normalize/codes/vin.ts'
import { type DeductibleOptions, readDeductible } from '../../src/normalize/coverage/deductible.ts'
import { readLimit } from '../../src/normalize/coverage/limit.ts'
import { readPropertyTerm } from '../../src/normalize/coverage/property-terms.ts'
import { readDate } from '../../src/normalize/date.ts'
import { type PeriodReading, readHeadedPeriod, readPeriod } from '../../src/normalize/dates/period.ts'
import { policyTerm } from '../../src/normalize/dates/term.ts'
import { readTimeOfDay } from '../../src/normalize/dates/time-of-day.ts'
import { decimalEvidence, readMoney } from '../../src/normalize/money.ts'
import { readMoneyWithProof } from '../../src/normalize/money-proof.ts'
import { readNames } from '../../src/normalize/parties/person-name.ts'
import { NEUTRAL, OCR, type PairRow, summary, US } from './summary.ts'

const date = (raw: string) => summary(readDate(raw, { ...US, yearPivot: 'future' }))
const money = (raw: string) => summary(readMoney(raw, US))
const number = (raw: string) => {
  const reading = readPolicyNumber(raw, US)
  return `${summary(reading)} / ${reading.key}`
}
const show = (period: PeriodReading) =>
  [summary(period.start), '→', summary(period.end), period.time, period.timeBasis, ...period.flags]
    .filter(Boolean)
    .join(' ')
const period = (raw: string) => show(readPeriod(raw, US))
const limit = (raw: string) => {
  const { limits, flags } = readLimit(raw, US)
  const shown = limits.map(each => [each.appliesTo, each.amount ?? each.type, each.months].filter(Boolean).join(' '))
  return [shown.join(', '), ...flags].join(' ')
}
const deductible = (options?: DeductibleOptions) => (raw: string) => {
  const { deductibles, flags } = readDeductible(raw, US, options)
  const shown = deductibles.map(each =>
    Object.entries(each)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  )
  return [shown.join('; '), ...flags].join(' ').trim()
}
const form = (raw: string, isOcr = false) => {
  const read = readFormNumber(raw, isOcr)
  return (
    read && [read.number, read.edition, read.bureau, read.state, read.revision, ...read.flags].filter(Boolean).join(' ')
  )
}
const names = (raw: string) => {
  const read = readNames(raw)
  return [read.names.join(' | '), read.dba && `dba ${read.dba}`, ...read.flags].filter(Boolean).join(' ')
}

export const POLICY_PAIRS: readonly PairRow[] = [
  { pair: 1, raw: 'Policy Number: HO-4471902', read: number, is: 'HO-4471902 / HO4471902' },
  { pair: 2, raw: 'BKS (21) 57 47 36 67', read: number, is: 'BKS (21) 57 47 36 67 / BKS2157473667' },
  {
    pair: 3,
    raw: 'POLICY NUMBER: CPP-4471-208815 PRIOR POLICY: CPP-4471-197322',
    read: number,
    is: 'null FIELD_INVALID / null',
    note: 'two numbers are never read as one; labels keep them apart'
  },
  { pair: 3, raw: 'POLICY NUMBER: CPP-4471-208815', read: number, is: 'CPP-4471-208815 / CPP4471208815' },
  {
    pair: 4,
    raw: 'HO-447I9O2',
    read: raw => summary(readPolicyNumber(raw, OCR)),
    is: 'HO-447I9O2 OCR_SUSPECT'
  },
  ...['TBD', 'BINDER', 'To Be Assigned'].map(raw => ({ pair: 5, raw, read: number, is: 'null PLACEHOLDER / null' })),
  {
    pair: 6,
    raw: 'WC 1234567890123456789',
    read: raw => summary(readPolicyNumber(raw, US, 'workers_comp')),
    is: 'WC 1234567890123456789 WC_POLICY_NUMBER_TOO_LONG'
  },
  {
    pair: 7,
    raw: 'From 01/15/2025 to 01/15/2026 12:01 A.M. standard time at the insured property',
    read: period,
    is: '2025-01-15 → 2026-01-15 00:01 insured_property'
  },
  {
    pair: 8,
    raw: '20 2 2026 20 2 2027',
    read: raw => show(readHeadedPeriod('FROM DAY MONTH YEAR TO DAY MONTH YEAR', raw, NEUTRAL)),
    is: '2026-02-20 → 2027-02-20 HEADER_ORDER'
  },
  { pair: 9, raw: '07/01/2026 To 07/01/2027', read: period, is: '2026-07-01 → 2027-07-01' },
  {
    pair: 10,
    raw: '01-JAN-24 / 01-JAN-25',
    read: period,
    is: '2024-01-01 TWO_DIGIT_YEAR → 2025-01-01 TWO_DIGIT_YEAR'
  },
  {
    pair: 11,
    raw: '12 months beginning 6/1/24',
    read: period,
    is: '2024-06-01 TWO_DIGIT_YEAR → 2025-06-01 DERIVED'
  },
  { pair: 12, raw: '6 Months from 03/15/2024', read: period, is: '2024-03-15 → 2024-09-15 DERIVED' },
  { pair: 13, raw: '12/31/28', read: date, is: '2028-12-31 TWO_DIGIT_YEAR' },
  {
    pair: 14,
    raw: '31.12.2028',
    read: date,
    is: '2028-12-31 DATE_ORDER_SWITCHED',
    note: 'read under month-first order'
  },
  { pair: 14, raw: '31.12.2028', read: raw => summary(readDate(raw, NEUTRAL)), is: '2028-12-31' },
  { pair: 15, raw: 'Feb. 29, 2023', read: date, is: 'null INVALID_DATE' },
  { pair: 16, raw: '02/29/2024 – 02/28/2025', read: period, is: '2024-02-29 → 2025-02-28' },
  {
    pair: 16,
    raw: '2024-02-29 2025-02-28',
    read: raw => policyTerm(raw.slice(0, 10), raw.slice(11)),
    is: { days: 365, flags: [] }
  },
  { pair: 17, raw: 'Until Cancelled', read: date, is: 'null CONTINUOUS_POLICY' },
  {
    pair: 18,
    raw: '2026-01-15 to 2025-01-15',
    read: period,
    is: '2026-01-15 → 2025-01-15 DATE_ORDER',
    note: 'both values are kept beside the reason, for a person to see'
  },
  { pair: 19, raw: 'Noon standard time', read: readTimeOfDay, is: '12:00' },
  {
    pair: 20,
    raw: 'DATE ISSUED: 06/18/2026',
    read: date,
    is: 'null INVALID_DATE',
    note: 'a foreign label is never eaten; labels are matched by the profile'
  },
  { pair: 21, raw: '$1,000,000 each occurrence', read: limit, is: 'per_occurrence 1000000.00' },
  {
    pair: 22,
    raw: '1,000,000/2,000,000',
    read: limit,
    is: 'per_occurrence 1000000.00, general_aggregate 2000000.00'
  },
  ...['$1M/$2M', '1MM/2MM'].map(raw => ({
    pair: 22,
    raw,
    read: limit,
    is: 'per_occurrence 1000000.00, general_aggregate 2000000.00 SCALED_SUFFIX'
  })),
  {
    pair: 23,
    raw: '100/300/50',
    read: limit,
    is: 'bi_per_person 100000.00, bi_per_accident 300000.00, pd_per_accident 50000.00 THOUSANDS_IMPLIED'
  },
  {
    pair: 24,
    raw: '100,000/300,000/50,000',
    read: limit,
    is: 'bi_per_person 100000.00, bi_per_accident 300000.00, pd_per_accident 50000.00'
  },
  {
    pair: 25,
    raw: '25/50/25',
    read: limit,
    is: 'bi_per_person 25000.00, bi_per_accident 50000.00, pd_per_accident 25000.00 THOUSANDS_IMPLIED'
  },
  { pair: 26, raw: '$500,000 CSL', read: limit, is: 'csl 500000.00' },
  { pair: 26, raw: '300 CSL', read: limit, is: 'csl 300000.00 THOUSANDS_IMPLIED' },
  { pair: 27, raw: 'Statutory', read: limit, is: 'statutory' },
  {
    pair: 28,
    raw: '$100,000 Each Accident / $500,000 Disease-Policy Limit / $100,000 Disease-Each Employee',
    read: limit,
    is: 'each_accident 100000.00, disease_policy 500000.00, disease_employee 100000.00'
  },
  ...['Included', 'Incl'].map(raw => ({ pair: 29, raw, read: limit, is: 'included' })),
  { pair: 30, raw: 'Excluded', read: limit, is: 'excluded' },
  { pair: 30, raw: 'Not Covered', read: limit, is: 'not_covered' },
  { pair: 30, raw: 'Declined', read: limit, is: 'declined' },
  { pair: 30, raw: 'Rejected', read: limit, is: 'rejected' },
  ...['--', ''].map(raw => ({ pair: 31, raw, read: limit, is: 'not_stated' })),
  { pair: 32, raw: 'ALS 12 Months', read: limit, is: 'actual_loss_sustained 12' },
  { pair: 32, raw: 'Actual Loss Sustained', read: limit, is: 'actual_loss_sustained' },
  { pair: 33, raw: 'Unlimited', read: limit, is: 'unlimited' },
  {
    pair: 34,
    raw: '2% of Coverage A ($8,240)',
    read: deductible({ coverageA: '412000.00' }),
    is: 'amount 8240.00, percent 2, basis coverage_a'
  },
  {
    pair: 34,
    raw: '2% of Coverage A ($8,940)',
    read: deductible({ coverageA: '412000.00' }),
    is: 'amount 8940.00, percent 2, basis coverage_a DEDUCTIBLE_MISMATCH'
  },
  { pair: 35, raw: 'Windstorm or Hail $4,120', read: deductible(), is: 'peril wind_hail, amount 4120.00' },
  { pair: 36, raw: '2%', read: deductible(), is: 'percent 2 BASIS_UNKNOWN' },
  { pair: 37, raw: '.02', read: deductible(), is: 'PERCENT_OR_AMOUNT_AMBIGUOUS' },
  { pair: 38, raw: '2', read: deductible({ isPercentColumn: true }), is: 'percent 2' },
  {
    pair: 39,
    raw: '5% Named Storm, $25,000 min per occurrence',
    read: deductible(),
    is: 'peril named_storm, percent 5, min 25000.00'
  },
  { pair: 40, raw: '$1,500 AOP', read: deductible(), is: 'peril all_other_perils, amount 1500.00' },
  {
    pair: 41,
    raw: 'Ded 500/1000',
    read: deductible(),
    is: 'peril comprehensive, amount 500.00; peril collision, amount 1000.00'
  },
  { pair: 42, raw: '72 Hours', read: deductible(), is: 'peril waiting_period, hours 72' },
  {
    pair: 43,
    raw: '80% Coins.',
    read: raw => readPropertyTerm(raw, US),
    is: { kind: 'coinsurance', share: '0.8' },
    note: 'a share is a number: 0.8 and 0.80 are the same'
  },
  { pair: 43, raw: 'Agreed Value', read: raw => readPropertyTerm(raw, US), is: { kind: 'agreed_value' } },
  { pair: 43, raw: 'RC', read: raw => readPropertyTerm(raw, US), is: { kind: 'replacement_cost' } },
  { pair: 43, raw: 'ACV', read: raw => readPropertyTerm(raw, US), is: { kind: 'actual_cash_value' } },
  { pair: 44, raw: '$2,847.00', read: money, is: '2847.00' },
  { pair: 44, raw: '$   1,842', read: money, is: '1842.00' },
  ...['($125.00)', '-125.00', '125.00-', '125.00 CR'].map(raw => ({ pair: 45, raw, read: money, is: '-125.00' })),
  { pair: 46, raw: '$l,234.5O', read: raw => summary(readMoney(raw, OCR)), is: '1234.50 OCR_REPAIR' },
  { pair: 47, raw: 'S1,B42.OO', read: raw => summary(readMoney(raw, OCR)), is: 'null OCR_SUSPECT {1842.00}' },
  {
    pair: 47,
    raw: 'S1,B42.OO',
    read: raw => summary(readMoneyWithProof(raw, OCR, total => sumMatches(['1800.00', '42.00'], total))),
    is: '1842.00 OCR_REPAIR'
  },
  { pair: 48, raw: '2.847,00', read: money, is: '2847.00 EU_DECIMAL' },
  { pair: 49, raw: '1.234,56', read: decimalEvidence, is: ',' },
  {
    pair: 49,
    raw: '2.847',
    read: raw => summary(readMoney(raw, { ...NEUTRAL, decimal: ',' })),
    is: '2847.00 GROUP_DOT',
    note: 'the caller that found the evidence says where the decimal sign comes from'
  },
  {
    pair: 49,
    raw: '2,847',
    read: raw => summary(readMoney(raw, NEUTRAL)),
    is: 'null AMBIGUOUS_NUMBER {2.847|2847.00}'
  },
  { pair: 50, raw: '1.5M', read: money, is: '1500000.00 SCALED_SUFFIX' },
  {
    pair: 51,
    raw: '2847.00 35.00 139.78 1.15',
    read: raw => [
      sumAmounts(raw.split(' ')),
      sumMatches(raw.split(' '), '3022.93'),
      sumMatches(raw.split(' '), '3023.93')
    ],
    is: ['3022.93', true, false]
  },
  { pair: 51, raw: '2882.00', read: raw => [percentOf('4.85', raw), percentOf('0.04', raw)], is: ['139.78', '1.15'] },
  {
    pair: 52,
    raw: '25% Minimum Earned',
    read: raw => readPropertyTerm(raw, US),
    is: { kind: 'minimum_earned', share: '0.25' }
  },
  { pair: 52, raw: '25% Minimum Earned', read: money, is: 'null INVALID_NUMBER' },
  { pair: 53, raw: 'CG 00 01 04 13', read: raw => form(raw), is: 'CG 00 01 2013-04 iso' },
  { pair: 54, raw: 'CG2010 (04/13)', read: raw => form(raw), is: 'CG 20 10 2013-04 iso' },
  { pair: 54, raw: 'CG 20 10 O4 13', read: raw => form(raw, true), is: 'CG 20 10 2013-04 iso OCR_REPAIR' },
  { pair: 54, raw: 'CG 20 10 O4 13', read: raw => form(raw), is: null, note: 'typed text is never repaired' },
  { pair: 55, raw: 'IL 00 17 11 98', read: raw => form(raw), is: 'IL 00 17 1998-11 iso' },
  { pair: 55, raw: 'HO 04 10 10 00', read: raw => form(raw), is: 'HO 04 10 2000-10 iso' },
  { pair: 56, raw: 'HO-04-90', read: raw => form(raw), is: 'HO 04 90 iso EDITION_MISSING' },
  { pair: 57, raw: 'CG 00 01 13 04', read: raw => form(raw), is: 'CG 00 01 iso FORM_EDITION_INVALID' },
  { pair: 58, raw: 'WC 42 03 01 H', read: raw => form(raw), is: 'WC 42 03 01 wc TX H' },
  { pair: 59, raw: 'NAIC # 00914', read: raw => summary(readNaic(raw)), is: '00914' },
  { pair: 59, raw: '2 7154', read: raw => summary(readNaic(raw)), is: '27154 INNER_SPACE' },
  { pair: 59, raw: '27154', read: raw => summary(readNaic(raw)), is: '27154' },
  {
    pair: 60,
    raw: 'Day Management Corporation dba: Day Wireless Systems',
    read: names,
    is: 'Day Management Corporation dba Day Wireless Systems'
  },
  { pair: 61, raw: 'SMITH, JOHN A & MARY B', read: names, is: 'John A Smith | Mary B Smith NAME_REORDERED' },
  { pair: 61, raw: 'THE JOHN SMITH REV TR DTD 1/1/2010', read: names, is: 'THE JOHN SMITH REV TR DTD 1/1/2010' },
  {
    pair: 62,
    raw: '1HGCM82633AOO4352',
    read: raw => summary(readVin(raw, OCR)),
    is: '1HGCM82633A004352 OCR_REPAIR'
  },
  { pair: 62, raw: '1HGCM82633A004353', read: raw => summary(readVin(raw, US)), is: '1HGCM82633A004353 CHECK_DIGIT' }
]
