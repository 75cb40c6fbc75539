import { makeZip } from '../../media/zip-builder.ts'

export interface MadeSheet {
  readonly name: string
  readonly state?: 'hidden' | 'veryHidden'
  /** What stands inside `sheetData`. */
  readonly rows: string
  /** What stands behind `sheetData`, as merged cells do. */
  readonly behind?: string
}

export interface MadeWorkbook {
  readonly sheets: readonly MadeSheet[]
  /** Items of the shared texts, as XML inside `si`. */
  readonly shared?: readonly string[]
  /** Number format codes; style n is the n-th of them, from 1, and style 0 is General. Numbers name built-in formats. */
  readonly formats?: readonly (string | number)[]
  readonly is1904?: boolean
  /** Parts put in place of, or beside, the made ones; null leaves one out. */
  readonly parts?: Readonly<Record<string, string | null>>
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)

const relation = (id: number, kind: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`

function stylesOf(formats: readonly (string | number)[]): string {
  const own = formats.map((code, n) => ({ code, id: typeof code === 'number' ? code : 164 + n }))
  const codes = own
    .filter(({ code }) => typeof code === 'string')
    .map(({ code, id }) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(String(code))}"/>`)
  const styles = [0, ...own.map(({ id }) => id)].map(id => `<xf numFmtId="${id}"/>`)
  return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`
}

/** The parts of a workbook by name. */
export function workbookParts(workbook: MadeWorkbook): Record<string, string> {
  const { sheets, shared, formats, is1904, parts = {} } = workbook
  const listed = sheets.map(
    ({ name, state }, n) =>
      `<sheet name="${escapeXml(name)}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`
  )
  const relations = [
    ...sheets.map((_, n) => relation(n + 1, 'worksheet', `worksheets/sheet${n + 1}.xml`)),
    relation(1000, 'styles', '/xl/styles.xml'),
    ...(shared ? [relation(1001, 'sharedStrings', 'sharedStrings.xml')] : [])
  ]
  const made: Record<string, string | null> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
    'xl/styles.xml': stylesOf(formats ?? [])
  }
  if (shared)
    made['xl/sharedStrings.xml'] =
      `${HEAD}<sst xmlns="${MAIN}">${shared.map(item => `<si>${item}</si>`).join('')}</sst>`
  for (const [n, { rows, behind = '' }] of sheets.entries()) {
    made[`xl/worksheets/sheet${n + 1}.xml`] =
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${behind}</worksheet>`
  }
  const all = { ...made, ...parts }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]))
  )
}

/** A workbook file. */
export const makeWorkbook = (workbook: MadeWorkbook): Buffer =>
  makeZip(Object.entries(workbookParts(workbook)).map(([name, text]) => ({ name, content: Buffer.from(text) })))

export const columnLetters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : columnLetters(Math.floor(index / 26) - 1) + columnLetters(index % 26)

/** A row of cells given as XML without their references: `<v>5</v>`, or with attributes `t="b"|<v>1</v>`; empty for none. */
export function row(number: number, cells: readonly string[], attributes = ''): string {
  const made = cells.map((cell, n) => {
    if (cell === '') return ''
    const [attributesOf, content] = cell.startsWith('<') ? ['', cell] : cell.split('|', 2)
    return `<c r="${columnLetters(n)}${number}" ${attributesOf}>${content ?? ''}</c>`
  })
  return `<row r="${number}" ${attributes}>${made.join('')}</row>`
}

/** An inline text cell, for `row`. */
export const text = (content: string): string =>
  `t="inlineStr"|<is><t xml:space="preserve">${escapeXml(content)}</t></is>`
