import { hash } from 'node:crypto'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}' +
  'h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%;font-size:.85rem}' +
  'caption{text-align:left;padding:.3rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;' +
  'border-bottom:1px solid #bbb;overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere}@media print{body{margin:0;max-width:none}tr{break-inside:avoid}}'

/** Nothing is loaded, run, framed or sent: the page has its one style and its text. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'"

/** Headers of a page that stands by itself. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer'
} as const

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Signs that are not seen, or make what follows read otherwise than it is. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text for HTML; signs that are not seen are shown as what they are. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, sign => ESCAPES[sign] ?? '')
    .replaceAll(UNSEEN, sign => {
      if (sign === '\n' || sign === '\t') return sign
      return `&lt;U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}&gt;`
    })

/** Everything before the content of a page. */
export const pageTop = (title: string): string =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
  `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escapeHtml(title)}</title>\n` +
  `<style>${STYLE}</style>\n</head>\n<body>\n<main>\n<h1>${escapeHtml(title)}</h1>\n`

export const PAGE_END = '</main>\n</body>\n</html>\n'

/** A list of names and texts. */
export const listOf = (pairs: readonly (readonly [string, string])[]): string =>
  `<dl>\n${pairs.map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>\n`).join('')}</dl>\n`

/** The beginning of a table with the headings of its columns. */
export const tableTop = (caption: string, headings: readonly string[]): string =>
  `<table>\n<caption>${escapeHtml(caption)}</caption>\n<thead><tr>` +
  `${headings.map(heading => `<th scope="col">${escapeHtml(heading)}</th>`).join('')}</tr></thead>\n<tbody>\n`

export const TABLE_END = '</tbody>\n</table>\n'

/** A row of a table. */
export const rowOf = (cells: readonly (string | number | null)[]): string =>
  `<tr>${cells.map(cell => `<td>${cell === null ? '' : escapeHtml(String(cell))}</td>`).join('')}</tr>\n`
