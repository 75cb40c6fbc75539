/** A piece of text that may be a value, with its place in the text it was found in. */
export interface Mention {
  readonly raw: string
  readonly start: number
  readonly end: number
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const ORDINAL =
  '(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)'
/** A stray quote mark after a day is how a superscript ordinal comes out of some scans. */
const DAY = '\\d{1,2}(?:st|nd|rd|th|["\'”’])?'
const YEAR = '(?:\\d{4}|\\d{2})(?!\\d|[/-]\\d)'

const DATE = new RegExp(
  [
    `(?<![\\d/.-])\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?![\\d/-])`,
    `(?<![\\d/.-])\\d{1,2}[/.-]\\d{1,2}[/.-](?:\\d{4}|\\d{2})(?![\\d/-]|\\.\\d)`,
    `\\b${MONTH}\\b\\.? {0,2}${DAY},? {0,2}\\d{4}\\b`,
    `(?<![\\d/.-])${DAY}(?: day)?,?(?: of)? ?-?${MONTH}\\b\\.?,? ?-?${YEAR}`,
    `\\b${ORDINAL}(?: \\(\\d{1,2}(?:st|nd|rd|th)?\\))? day of ${MONTH}\\b,? ${YEAR}`
  ].join('|'),
  'gi'
)

/** Stands for a glyph without a letter: what touches it is a piece of something longer. */
const UNKNOWN_GLYPH = '\ufffd'

/** False for a mention that touches a glyph nobody could read. */
const isWhole = (text: string, { start, end }: Mention): boolean =>
  text[start - 1] !== UNKNOWN_GLYPH && text[end] !== UNKNOWN_GLYPH

/** Every text that is written like a full date. Whether it is one is for the reader of dates to say. */
export function findDates(text: string): Mention[] {
  return [...text.matchAll(DATE)]
    .map(match => ({ raw: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(mention => isWhole(text, mention))
}

/** An amount of money as written, and the period it is said to be for. */
export interface AmountMention extends Mention {
  readonly symbol: string | null
  readonly per: 'month' | 'year' | 'week' | 'area' | 'other' | null
}

const AMOUNT =
  /(?<![\d.,#-])(\(?-?(?:US ?)?[$£€]? {0,3}-?)(\d{1,3}(?:\.\d{3}){1,4},\d{2}|\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,2})?|\d{1,9}\.\d{2}|\d{1,9})(?![\d%]|,\d|\.\d|[-/]\d)(\)?(?: ?CR\b)?)/g

const PERIODS: readonly (readonly [Exclude<AmountMention['per'], null>, RegExp])[] = [
  ['area', /^[^a-z$£€]{0,3}(?:\/ ?|per |a )(?:rentable |usable )?(?:sq|sf|rsf|square|psf)/],
  [
    'month',
    /^[^a-z$£€]{0,3}(?:\/ ?mo|per month|per calendar month|a month|each month|each and every (?:calendar )?month|monthly(?! (?:[a-z]+ ){0,2}(?:rent|rental|installments?|payments?)(?::| ;| ?[$£€]))|p\.m\.|rent per month|every month)/
  ],
  [
    'year',
    /^[^a-z$£€]{0,3}(?:\/ ?y|per year|per annum|a year|annually|yearly|p\.a\.|each year|annual\b(?! (?:[a-z]+ ){0,2}(?:rent|rental|installments?|payments?)(?::| ;| ?[$£€])))/
  ],
  ['week', /^[^a-z$£€]{0,3}(?:\/ ?w|per week|weekly|a week)/],
  ['other', /^[^a-z$£€]{0,3}(?:per |each |\/ ?(?:day|person|accident|occurrence|claim|vehicle))/]
]

/** Characters after an amount in which its period may stand. A label of the next amount, such as `Monthly Rent:`, is none. */
const PERIOD_REACH = 45

function periodAfter(text: string, end: number): AmountMention['per'] {
  const after = text.slice(end, end + PERIOD_REACH).toLowerCase()
  return PERIODS.find(([, pattern]) => pattern.test(after))?.[0] ?? null
}

/** Every text written like an amount. A bare whole number counts only with a currency sign or grouped digits. */
export function findAmounts(text: string): AmountMention[] {
  const mentions: AmountMention[] = []
  for (const match of text.matchAll(AMOUNT)) {
    const [raw, lead = '', digits = ''] = match
    const symbol = /[$£€]/.exec(lead)?.[0] ?? null
    if (symbol === null && !digits.includes(',') && !digits.includes('.')) continue
    // In running text brackets repeat an amount ("Dollars ($2,400)"); alone in a cell they make it a credit.
    const isRepeat = lead.startsWith('(') && match.index > 0
    const from = match.index + (isRepeat ? 1 : 0)
    const to = match.index + raw.length - (isRepeat && raw.trimEnd().endsWith(')') ? 1 : 0)
    const written = text.slice(from, to)
    const start = from + (written.length - written.trimStart().length)
    const mention = { raw: written.trim(), start, end: to }
    if (!isWhole(text, mention)) continue
    mentions.push({ ...mention, symbol, per: periodAfter(text, match.index + raw.length) })
  }
  return mentions
}
