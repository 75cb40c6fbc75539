/** Characters of a text that are looked at. */
const SAMPLE_CHARACTERS = 65_536

/** The beginning of a text file for telling kinds of text apart, or null when the bytes are no text. */
export function sampleText(head: Buffer): string | null {
  const text = decodeRoughly(head).slice(0, SAMPLE_CHARACTERS)
  let controls = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 11) controls++
  }
  return controls > Math.max(1, text.length / 50) ? null : text
}

/** Good enough for structure: what is not UTF-16 or UTF-32 is taken one character a byte. */
function decodeRoughly(head: Buffer): string {
  const even = head.subarray(0, head.length - (head.length % 4))
  if (even.length >= 4 && isWide(even, 4))
    return even
      .toString('utf16le')
      .replaceAll('\0', '')
      .replace(/^\ufeff/, '')
  if (isUtf16(even)) {
    const isBig = even[0] === 0xfe || even[0] === 0
    const bytes = isBig ? Buffer.from(even).swap16() : even
    return bytes.toString('utf16le').replace(/^\ufeff/, '')
  }
  const start = head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  return head.toString('latin1', start)
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex')
  return mark === 'fffe' || mark === 'feff' || isWide(bytes, 2)
}

/** Whether most units of that many bytes hold one byte that is not NUL, as ASCII does in UTF-16 and UTF-32. */
function isWide(bytes: Buffer, unit: 2 | 4): boolean {
  const sample = bytes.subarray(0, 4096)
  const units = sample.length / unit
  let narrow = 0
  for (let at = 0; at + unit <= sample.length; at += unit) {
    const nuls = sample.subarray(at, at + unit).filter(byte => byte === 0).length
    if (nuls === unit - 1) narrow++
  }
  return units >= 1 && narrow > units * 0.7
}

const MAIL_HEADER = /^(?:message-id|mime-version|received|return-path|delivered-to|dkim-signature):/i
const HTML_MARK = /<(?:!doctype html|html|head|body|table|frameset)[\s>]/i

/** The media type of a text by its content alone; `text/plain` when nothing tells. */
export function textMediaType(text: string): string {
  const start = text.trimStart()
  if (start.startsWith('<')) {
    if (HTML_MARK.test(start)) return 'text/html'
    if (isMarkup(start, text)) return 'application/xml'
  }
  if (isMail(start)) return 'message/rfc822'
  if (/^\{[ \t\r\n]{0,1000}["}]/.test(start)) return isOneALine(start) ? 'application/x-ndjson' : 'application/json'
  if (/^\[[ \t\r\n]{0,1000}(?:[[\]{"\d-]|true|false|null|NaN|$)/.test(start)) return 'application/json'
  return looksDelimited(start) ? 'text/csv' : 'text/plain'
}

function isMail(start: string): boolean {
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1)
  const lines = headers.split(/\r?\n/, 60)
  return lines.filter(line => MAIL_HEADER.test(line)).length >= 2
}

function isOneALine(start: string): boolean {
  const lines = start.split(/\r\n|\n|\r/, 6).filter(line => line.trim() !== '')
  return lines.length > 1 && lines.slice(0, -1).every(line => /^\s?\{/.test(line) && line.trimEnd().endsWith('}'))
}

/** Lines looked at. */
const DELIMITED_LINES = 60
/** Share of lines that must have the same number of delimiters. */
const STEADY_SHARE = 0.8

/**
 * Whether a text reads as rows and columns: at least two lines, most with the same number of some delimiter outside
 * quotes. Three lines where there are two columns only, because two sentences may well hold one comma each. Title lines
 * above count against it, so real exports with long titles are not found; a name or type that says so is.
 */
export function looksDelimited(sample: string | Buffer): boolean {
  const text = typeof sample === 'string' ? sample : (sampleText(sample) ?? '')
  const unquoted = text.slice(0, SAMPLE_CHARACTERS).replace(/"[^"]{0,10000}"/g, '')
  const lines = unquoted.split(/\r\n|\n|\r/, DELIMITED_LINES + 1).filter(line => line.trim() !== '')
  return [',', ';', '\t', '|'].some(delimiter => {
    const counts = lines.map(line => line.split(delimiter).length - 1)
    return [1, 2].some(least => isSteady(counts, least))
  })
}

function isSteady(counts: readonly number[], leastDelimiters: number): boolean {
  const tally = new Map<number, number>()
  for (const count of counts) if (count >= leastDelimiters) tally.set(count, (tally.get(count) ?? 0) + 1)
  const most = Math.max(0, ...tally.values())
  return most >= (leastDelimiters === 1 ? 3 : 2) && most >= counts.length * STEADY_SHARE
}

/** So many closed elements are markup even when the first one is still open. */
const CLOSED_CHILDREN = 3

/** Markup closes what it opens. A mark such as `<PAGE>` at the head of a filing is text. */
function isMarkup(start: string, text: string): boolean {
  if (/^<(?:\?xml|!--)/i.test(start)) return true
  const name = /^<([a-z][\w:.-]{0,100})/i.exec(start)?.[1]
  if (name === undefined) return false
  // The end of the outermost element may lie beyond what is looked at; its children close before.
  return text.includes(`</${name}`) || (text.match(/<\/[a-z]/gi)?.length ?? 0) >= CLOSED_CHILDREN
}
