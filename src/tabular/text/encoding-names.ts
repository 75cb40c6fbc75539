/** Encodings whose characters take one byte or more, each by rules of its own. */
export const MULTI_BYTE = ['euc-jp', 'iso-2022-jp', 'shift_jis', 'uhc', 'big5', 'gb18030'] as const
export type MultiByte = (typeof MULTI_BYTE)[number]

/** `ascii` stands for "not decided": rows with other bytes are held. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'ascii',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'x-mac-cyrillic',
  ...MULTI_BYTE
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Labels clients declare, beside the names above. As on the web, Latin-1 means windows-1252. */
const ALIASES: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-32': 'utf-32le',
  latin1: 'windows-1252',
  'latin-1': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'iso-8859-9',
  latin9: 'iso-8859-15',
  'mac-roman': 'macintosh',
  koi8: 'koi8-r',
  cp866: 'ibm866',
  'iso-8859-11': 'windows-874',
  'tis-620': 'windows-874',
  sjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  'windows-31j': 'shift_jis',
  cp932: 'shift_jis',
  'euc-kr': 'uhc',
  cp949: 'uhc',
  'windows-949': 'uhc',
  'ks_c_5601-1987': 'uhc',
  'big5-hkscs': 'big5',
  cp950: 'big5',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030'
}

/** The encoding a declared label means, or null for one that is not read. */
export function encodingOf(label: string): Encoding | null {
  const folded = label.trim().toLowerCase()
  const known = ENCODINGS.find(name => name === folded && name !== 'ascii')
  if (known !== undefined) return known
  const aliased = Object.hasOwn(ALIASES, folded) ? ALIASES[folded] : undefined
  const page = /^(?:cp|x-cp)(125\d)$/.exec(folded)?.[1]
  return aliased ?? ENCODINGS.find(name => name === `windows-${page}`) ?? null
}

/** Bytes of one code unit. Structural characters (delimiter, quote, line end, brackets) are one unit in each encoding read. */
export function unitBytes(encoding: Encoding): 1 | 2 | 4 {
  if (encoding.startsWith('utf-16')) return 2
  return encoding.startsWith('utf-32') ? 4 : 1
}
