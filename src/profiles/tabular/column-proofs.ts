import type { RawValue } from '../../model/rows.ts'
import { dateEvidence, readDate } from '../../normalize/date.ts'
import { serialOf } from '../../normalize/dates/numeric-date.ts'
import { decimalEvidence, readAmount } from '../../normalize/money.ts'
import type { ColumnProof } from './source-options.ts'

/** Only whether a cell is a date or an amount is asked under it, never which. */
const ANY_CELL = { today: '2000-01-01', source: 'cell', serialDates: '1900' } as const

/** Longest cell that may be a date or an amount. */
const MAX_CELL = 60

/**
 * Numbers seen of one column: filled cells, dates, amounts, serial days, those no day of a year fits, latest serial, days of
 * a sheet, and those of them that no order of day and month makes another day of.
 */
type Tally = readonly [number, number, number, number, number, number, number?, number?]

/** As saved between the steps of a split. */
export type StoredProofs = readonly [
  name: string,
  orders: readonly ('mdy' | 'dmy')[],
  decimals: readonly ('.' | ',')[],
  tally?: Tally
]

/** What the cells of one column have proven so far. */
export class ColumnProofs {
  readonly dateOrders = new Set<'mdy' | 'dmy'>()
  readonly decimals = new Set<'.' | ','>()
  filled = 0
  dates = 0
  amounts = 0
  serials = 0
  /** Serials that cannot be a year and the number of a day in it. */
  noOrdinals = 0
  latestSerial = 0
  /** Cells that a sheet holds as days. */
  sheetDays = 0
  /** Those among them after the 12th. */
  lateSheetDays = 0

  /** `isSheetDay`: the cell is no text but a day, as sheets hold them. */
  addDate(value: RawValue | undefined, isSheetDay = false): void {
    if (typeof value !== 'string' || value === '') return
    this.filled += 1
    if (isSheetDay) {
      this.sheetDays += 1
      if (Number(value.slice(8, 10)) > 12) this.lateSheetDays += 1
      return
    }
    this.#addOrder(value)
    if (value.length < 5 || value.length > 18) return
    const serial = serialOf(value)
    if (serial === null) return
    this.serials += 1
    const day = serial % 1000
    if (day === 0 || day > 366) this.noOrdinals += 1
    this.latestSerial = Math.max(this.latestSerial, serial)
  }

  addNumber(value: RawValue | undefined): void {
    if (typeof value === 'string') this.#addDecimal(value)
  }

  /** A cell of a column that may be of several kinds: also which of them it can be. Cells that say nothing do not count. */
  addHinted(value: RawValue | undefined, isSheetDay = false): void {
    if (value === undefined || value === null || value === '') return
    const text = typeof value === 'string' ? value : value.json
    const date = text.length > MAX_CELL || typeof value !== 'string' ? null : readDate(text, ANY_CELL)
    if (date !== null && date.value === null && isNothing(date.status)) return
    this.addDate(typeof value === 'string' ? value : undefined, isSheetDay)
    if (typeof value !== 'string') this.filled += 1
    if (date !== null && (date.value !== null || date.status === 'ambiguous')) this.dates += 1
    this.addNumber(value)
    const amount = text.length > MAX_CELL ? null : readAmount(text, ANY_CELL)
    if (amount !== null && (amount.value !== null || amount.status === 'ambiguous')) this.amounts += 1
  }

  /** A cell of a column that no field has now. */
  addOther(value: string): void {
    this.#addOrder(value)
    this.#addDecimal(value)
  }

  #addOrder(value: string): void {
    const order = dateEvidence(value)
    if (order === 'mdy' || order === 'dmy') this.dateOrders.add(order)
  }

  #addDecimal(value: string): void {
    const decimal = decimalEvidence(value)
    if (decimal !== null) this.decimals.add(decimal)
  }
}

const isNothing = (status: string): boolean => status === 'absent' || status === 'not_applicable'

/** Goes on from what was saved. */
export function savedProofs([, orders, decimals, tally]: StoredProofs): ColumnProofs {
  const proofs = new ColumnProofs()
  for (const order of orders) proofs.dateOrders.add(order)
  for (const decimal of decimals) proofs.decimals.add(decimal)
  if (tally === undefined) return proofs
  const [filled, dates, amounts, serials, noOrdinals, latestSerial, sheetDays = 0, lateSheetDays = 0] = tally
  return Object.assign(proofs, { filled, dates, amounts, serials, noOrdinals, latestSerial, sheetDays, lateSheetDays })
}

/** What is saved of a column. */
export function storedProofs(name: string, proofs: ColumnProofs): StoredProofs {
  const { filled, dates, amounts, serials, noOrdinals, latestSerial, sheetDays, lateSheetDays } = proofs
  const lists = [[...proofs.dateOrders], [...proofs.decimals]] as const
  const tally: Tally = [filled, dates, amounts, serials, noOrdinals, latestSerial, sheetDays, lateSheetDays]
  return filled === 0 ? [name, ...lists] : [name, ...lists, tally]
}

const only = <T>(proofs: ReadonlySet<T>): T | undefined => (proofs.size === 1 ? [...proofs][0] : undefined)

function kindOf({ filled, dates, amounts }: ColumnProofs): 'date' | 'amount' | undefined {
  if (filled === 0 || (dates === filled) === (amounts === filled)) return undefined
  return dates === filled ? 'date' : 'amount'
}

/** Day numbers throughout, of which one at least is no year with the number of a day. */
const isSerial = ({ filled, serials, noOrdinals }: ColumnProofs): boolean => serials === filled && noOrdinals > 0

/**
 * Days beside texts that no program of the sheet's language could take for days: a file with days in one order was opened
 * where the other one is usual. What became a day then is another day than the one written, never one after the 12th.
 */
const isTurned = ({ dateOrders, sheetDays, lateSheetDays }: ColumnProofs): boolean =>
  dateOrders.size > 0 && sheetDays > 0 && lateSheetDays === 0

/** What a column proves once all of it was seen; nothing when its cells contradict each other. */
export function concludeColumn(name: string, proofs: ColumnProofs): ColumnProof[] {
  const proof = {
    name,
    dateOrder: only(proofs.dateOrders),
    decimal: only(proofs.decimals),
    kind: kindOf(proofs),
    latestSerial: isSerial(proofs) ? proofs.latestSerial : undefined,
    turned: isTurned(proofs) || undefined
  }
  const known = Object.entries(proof).filter(([, value]) => value !== undefined)
  return known.length === 1 ? [] : [Object.fromEntries(known) as unknown as ColumnProof]
}
