import { corrupt, readWhole, WorkbookFault, type XmlHandler } from './xml.ts'

/** The parts of a workbook by name, which is compared without case. Reading counts what it unfolds and throws when it is too much. */
export interface WorkbookParts {
  has(name: string): boolean
  open(name: string): AsyncIterable<Uint8Array>
}

/** Where the chosen sheet and what it needs are. */
export interface SheetParts {
  readonly sheet: string
  /** Its place among the workbook's worksheets, from 1, and how many there are. */
  readonly number: number
  readonly count: number
  /** The visible sheets, in order, where none was asked for by name. */
  readonly visible: readonly SheetPlace[]
  readonly sharedStrings: string | null
  readonly styles: string | null
  /** Serial dates count from 1904-01-01. */
  readonly is1904: boolean
}

/** A sheet that may be read, by its part and its place among the workbook's worksheets, from 1. */
export interface SheetPlace {
  readonly sheet: string
  readonly number: number
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

interface ListedSheet {
  readonly name: string
  readonly isHidden: boolean
  readonly relation: string
}

const MAX_SHEETS = 10_000
const ROOT = '_rels/.rels'
const DEFAULT_WORKBOOK = 'xl/workbook.xml'

/** The end of a relation's type; the address before it differs between the strict and the transitional format. */
const isType = (relation: Relation, kind: string): boolean => relation.type.endsWith(`/${kind}`)

/**
 * Finds the sheet to read: the one called `wanted` (whatever its case, hidden or not), else the first that is not hidden;
 * the others that are not are told of, since the first may be a cover.
 * Throws `WorkbookFault`.
 */
export async function findSheet(parts: WorkbookParts, wanted: string | undefined): Promise<SheetParts> {
  const root = await relationsOf(parts, ROOT, '')
  const workbook = root.find(relation => isType(relation, 'officeDocument'))?.target ?? DEFAULT_WORKBOOK
  if (workbook.toLowerCase().endsWith('.bin')) {
    throw new WorkbookFault('FILE_TYPE_UNSUPPORTED', 'a binary workbook; save it as .xlsx or CSV')
  }
  if (!parts.has(workbook)) throw corrupt('the part that lists the sheets is missing')
  const { sheets, is1904 } = await readWorkbook(parts, workbook)
  const relations = await relationsOf(parts, relationsPartOf(workbook), folderOf(workbook))
  const worksheets = sheets.flatMap(sheet => {
    const relation = relations.find(({ id }) => id === sheet.relation)
    return relation !== undefined && isType(relation, 'worksheet') ? [{ ...sheet, target: relation.target }] : []
  })
  const chosen = choose(worksheets, wanted)
  if (!parts.has(chosen.target)) throw corrupt('the part that holds the sheet is missing')
  const partOf = (kind: string): string | null => {
    const target = relations.find(relation => isType(relation, kind))?.target
    return target !== undefined && parts.has(target) ? target : null
  }
  return {
    sheet: chosen.target,
    number: worksheets.indexOf(chosen) + 1,
    count: worksheets.length,
    visible: wanted === undefined ? placesOf(worksheets, parts) : [],
    sharedStrings: partOf('sharedStrings'),
    styles: partOf('styles'),
    is1904
  }
}

function placesOf(sheets: readonly (ListedSheet & { target: string })[], parts: WorkbookParts): SheetPlace[] {
  return sheets
    .map((sheet, at) => ({ isHidden: sheet.isHidden, sheet: sheet.target, number: at + 1 }))
    .filter(({ isHidden, sheet }) => !isHidden && parts.has(sheet))
    .map(({ sheet, number }) => ({ sheet, number }))
}

function choose<T extends ListedSheet>(sheets: readonly T[], wanted: string | undefined): T {
  if (wanted === undefined) {
    const visible = sheets.find(sheet => !sheet.isHidden)
    if (visible === undefined) throw new WorkbookFault('SHEET_MISSING', `none of ${sheets.length} sheets is visible`)
    return visible
  }
  const named = sheets.find(sheet => fold(sheet.name) === fold(wanted))
  if (named === undefined) {
    throw new WorkbookFault('SHEET_MISSING', `none of ${sheets.length} sheets has the name asked for`)
  }
  return named
}

const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

async function readWorkbook(
  parts: WorkbookParts,
  part: string
): Promise<{ sheets: readonly ListedSheet[]; is1904: boolean }> {
  const sheets: ListedSheet[] = []
  let is1904 = false
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904'])
      if (name !== 'sheet') return
      if (sheets.length >= MAX_SHEETS) throw corrupt('too many sheets')
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const isHidden = attributes['state'] === 'hidden' || attributes['state'] === 'veryHidden'
      sheets.push({ name: attributes['name'] ?? '', isHidden, relation })
    },
    text() {},
    close() {}
  }
  await readWhole(parts.open(part), handler)
  return { sheets, is1904 }
}

export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'on'

async function relationsOf(parts: WorkbookParts, part: string, folder: string): Promise<Relation[]> {
  if (!parts.has(part)) return []
  const relations: Relation[] = []
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes['TargetMode'] === 'External') return
      if (relations.length >= MAX_SHEETS) throw corrupt('too many relations')
      const target = resolve(folder, attributes['Target'] ?? '')
      relations.push({ id: attributes['Id'] ?? '', type: attributes['Type'] ?? '', target })
    },
    text() {},
    close() {}
  }
  await readWhole(parts.open(part), handler)
  return relations
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1)
const relationsPartOf = (part: string): string => `${folderOf(part)}_rels/${part.slice(folderOf(part).length)}.rels`

/** A target is a part's name from the archive's root, or from the folder of the part that names it. */
function resolve(folder: string, target: string): string {
  const path = target.replaceAll('\\', '/')
  const steps: string[] = []
  for (const step of (path.startsWith('/') ? path : folder + path).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}
