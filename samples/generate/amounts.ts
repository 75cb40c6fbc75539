const SMALL = [
  'Zero',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
  'Thirteen',
  'Fourteen',
  'Fifteen',
  'Sixteen',
  'Seventeen',
  'Eighteen',
  'Nineteen'
]
const TENS = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety']

/** Cents as a plain decimal: `8400.00`. */
export function plain(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Cents with grouped thousands: `8,400.00`; the two signs may be given, as in `8.400,00`. */
export function grouped(cents: number, group = ',', decimal = '.'): string {
  const [whole = '', fraction = ''] = plain(cents).split('.')
  return `${whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, group)}${decimal}${fraction}`
}

export const dollars = (cents: number): string => `$${grouped(cents)}`

/** A whole number below a million in words: `Eight Thousand Four Hundred`. */
export function inWords(value: number): string {
  if (value >= 1000) {
    const rest = value % 1000
    return `${inWords(Math.floor(value / 1000))} Thousand${rest === 0 ? '' : ` ${inWords(rest)}`}`
  }
  if (value >= 100) {
    const rest = value % 100
    return `${SMALL[Math.floor(value / 100)]} Hundred${rest === 0 ? '' : ` ${inWords(rest)}`}`
  }
  if (value < 20) return SMALL[value] ?? ''
  const ones = value % 10
  return `${TENS[Math.floor(value / 10)]}${ones === 0 ? '' : `-${SMALL[ones]}`}`
}

/** An amount as a contract writes it: `Eight Thousand Four Hundred and 00/100 Dollars`. */
export function amountInWords(cents: number): string {
  return `${inWords(Math.floor(cents / 100))} and ${String(cents % 100).padStart(2, '0')}/100 Dollars`
}
