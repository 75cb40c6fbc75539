/**
 * What nobody sees and no office writes into a number: zero-width spaces and joiners, soft hyphens, byte order marks, marks
 * of direction, variation selectors, controls that are no white space. Programs leave them when text is copied.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu
/** Begin right-to-left or overridden text: what stands behind them was shown in another order than it is written in. */
const TURNING = /[\u202b\u202d\u202e\u2067]/
/** Hyphens and dashes that stand for the hyphen of the keyboard in numbers; not the long dash between words. */
const HYPHENS = /[\u2010-\u2013\u2212]/g

/** Text without characters that cannot be seen. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')

/** Whether a text was shown in another order than it is written in, so that nobody can tell which of them was meant. */
export const isTurned = (text: string): boolean => TURNING.test(text)

/** Such a hyphen between letters or digits; one between spaces may be the dash of a range. */
const INNER_HYPHENS = /(?<=[\p{L}\p{Nd}])[\u2010-\u2013\u2212](?=[\p{L}\p{Nd}])/gu

/** Text in which the hyphens inside words and numbers are those of the keyboard. */
export const withPlainInnerHyphens = (text: string): string => text.replace(INNER_HYPHENS, '-')

/** Text in which every hyphen is the one of the keyboard. */
export const withPlainHyphens = (text: string): string => text.replace(HYPHENS, '-')
