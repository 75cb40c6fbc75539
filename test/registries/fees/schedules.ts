import type { Json } from '../../../src/model/json.ts'
import { readFeeSchedule } from '../../../src/registries/fees/read-schedule.ts'
import type { FeeSchedule } from '../../../src/registries/fees/schedule.ts'

type Row = readonly [over: string, to: string | null, base: string, rate?: string, unit?: string | null]
export const bracket = (...[over, to, base, rate = '0', unit = null]: Row) => ({ over, to, base, rate, unit })

/** UBC 1997 table 1-A, which many cities have adopted. */
export const UBC = [
  bracket('0', '500', '23.50'),
  bracket('500', '2000', '23.50', '3.05', '100'),
  bracket('2000', '25000', '69.25', '14.00', '1000'),
  bracket('25000', '50000', '391.25', '10.10', '1000'),
  bracket('50000', '100000', '643.75', '7.00', '1000'),
  bracket('100000', '500000', '993.75', '5.60', '1000'),
  bracket('500000', '1000000', '3233.75', '4.75', '1000'),
  bracket('1000000', null, '5608.75', '3.65', '1000')
]

export const permitFee = (brackets: Json = UBC): Json => ({
  name: 'permit_fee',
  kind: 'brackets',
  of: 'project_valuation',
  brackets
})

/** A schedule of these lines, in force since 2020. */
export function scheduleOf(lines: readonly Json[], more: { readonly [member: string]: Json } = {}): FeeSchedule {
  return readFeeSchedule({ id: 'FS', effective_from: '2020-01-01', lines, ...more })
}
