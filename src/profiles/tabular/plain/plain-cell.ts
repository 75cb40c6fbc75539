import { isPlainDate } from '../../../normalize/date.ts'
import { isPlainIdentifier } from '../../../normalize/identifier.ts'
import { readPlainAmount } from '../../../normalize/money.ts'
import { isPlainDecimal, isPlainInteger } from '../../../normalize/number.ts'
import { isPlainText } from '../../../normalize/plain.ts'
import type { Field, ReadContext } from '../../profile.ts'

/** The value of a cell in a form that says only one thing; undefined: the cell must be read the long way. */
export type PlainReader = (cell: string) => string | number | undefined

/** Amounts of more digits before the point go the long way, where they are refused. */
const MAX_AMOUNT_LENGTH = 16

/**
 * Whether a number lies inside a field's limits, by floats: rounding keeps order, so that only a number that seems to lie
 * on a limit is left to the long way.
 */
function limitsOf({ min, max }: Field['constraints']): (number: number) => boolean {
  const [least, most] = [Number(min ?? Number.NEGATIVE_INFINITY), Number(max ?? Number.POSITIVE_INFINITY)]
  return number => number > least && number < most
}

function amountReader(field: Field, context: ReadContext): PlainReader {
  const isInside = limitsOf(field.constraints)
  return cell => {
    const amount = readPlainAmount(cell, context)
    return amount !== null && amount.length <= MAX_AMOUNT_LENGTH && isInside(Number(amount)) ? amount : undefined
  }
}

function numberReader(field: Field, isPlain: (cell: string) => boolean): (cell: string) => number | undefined {
  const isInside = limitsOf(field.constraints)
  const { nonNegative = false } = field.constraints
  return cell => {
    if (!isPlain(cell)) return undefined
    const number = Number(cell)
    return isInside(number) && !(nonNegative && number < 0) ? number : undefined
  }
}

function textReader(field: Field, isPlain: (cell: string) => boolean): PlainReader {
  const { maxLength = Number.POSITIVE_INFINITY } = field.constraints
  return cell => (cell.length <= maxLength && isPlain(cell) ? cell : undefined)
}

/**
 * A quick reader of the cells that nearly all clean files consist of. What it answers is what `readCell` would read, found
 * as written and without a flag; what it does not answer says nothing. Null for fields whose cells have no such form.
 */
export function plainReader(field: Field, context: ReadContext): PlainReader | null {
  if (field.reader !== undefined || field.constraints.pattern !== undefined) return null
  switch (field.type) {
    case 'text':
    case 'name':
    case 'address':
      return textReader(field, isPlainText)
    case 'identifier':
      return textReader(field, isPlainIdentifier)
    case 'date':
      return textReader(field, isPlainDate)
    case 'money':
      return amountReader(field, context)
    case 'integer':
      return numberReader(field, isPlainInteger)
    case 'decimal': {
      const numberOf = numberReader(field, cell => isPlainDecimal(cell, context))
      return cell => (numberOf(cell) === undefined ? undefined : cell)
    }
    default:
      return null
  }
}
