import { readZipEntries, ZIP_LIMITS, ZipFault } from '../../media/unzip.ts'
import type { Paragraph } from '../../model/document-text.ts'
import type { ChildAnswer, ReadLimits } from '../answer.ts'
import { readBody } from './body.ts'
import { numberingOf } from './numbering.ts'
import { type Relation, readRelations } from './relations.ts'
import type { Sections } from './sections.ts'
import { isOn, NO_STYLES, readStyles } from './styles.ts'
import { readXml, XmlFault } from './xml.ts'

const OLE_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const END_OF_DIRECTORY = Buffer.from('504b0506', 'hex')
const WANTED =
  /^(?:_rels\/\.rels|word\/.{1,200}\.(?:xml|rels)|docProps\/app\.xml|[^/]{1,100}\/[^/]{1,100}\.xml(?:\.rels)?)$/
/** What shows text that is not read: pictures, and drawings that other programs make. */
const PICTURES = new Set(['image', 'chart', 'chartEx', 'diagramData'])
// Parts that hold text besides the body, in the order they are read.
const SIDE_PARTS = ['header', 'footer', 'footnotes', 'endnotes']

/**
 * Reads a DOCX into paragraphs and table cells as the document shows them: insertions in, deletions out,
 * merged cells and text boxes once, headers, footers and notes after the body. Nothing outside the file is
 * ever fetched.
 */
export async function readDocx(bytes: Buffer, limits: ReadLimits): Promise<ChildAnswer> {
  if (bytes.subarray(0, 8).equals(OLE_MAGIC)) return { ok: false, reason: reasonOfOle(bytes) }
  try {
    const parts = await readZipEntries(bytes, name => WANTED.test(name), ZIP_LIMITS)
    return readParts(parts, limits)
  } catch (error) {
    if (error instanceof XmlFault) return { ok: false, reason: 'FILE_CORRUPT' }
    if (!(error instanceof ZipFault)) throw error
    const cutOff = error.kind === 'corrupt' && !bytes.includes(END_OF_DIRECTORY)
    return { ok: false, reason: cutOff ? 'FILE_TRUNCATED' : error.reason }
  }
}

/** A protected DOCX is an OLE file around the encrypted package; without one it is a document of the old format. */
function reasonOfOle(bytes: Buffer): 'FILE_ENCRYPTED' | 'FILE_TYPE_MISMATCH' {
  return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le')) ? 'FILE_ENCRYPTED' : 'FILE_TYPE_MISMATCH'
}

function readParts(parts: ReadonlyMap<string, Buffer>, limits: ReadLimits): ChildAnswer {
  const main = mainPart(parts)
  const body = main === null ? undefined : parts.get(main)
  if (main === null || body === undefined) return { ok: false, reason: 'FILE_CORRUPT' }
  const relations = relationsOf(parts, main)
  const partOf = (kind: string): Buffer | undefined =>
    parts.get(relations.find(relation => relation.kind === kind)?.target ?? '')
  const styleSource = partOf('styles')
  const styles = styleSource ? readStyles(styleSource) : NO_STYLES
  const flags = new Set<string>()
  const paragraphs: Paragraph[] = []
  const budget = { characters: limits.characters, nodes: MAX_NODES }
  const target = { styles, flags, paragraphs, budget, numbering: numberingOf(partOf('numbering')) }
  const sections = readBody(body, target)
  const seen = new Set<string>()
  for (const relation of sideParts(relations, sections, hasEvenPages(partOf('settings')))) {
    const source = parts.get(relation.target)
    // The headers of first, odd and even pages are often the same part or the same text.
    if (!source || seen.has(source.toString('latin1'))) continue
    seen.add(source.toString('latin1'))
    readBody(source, target)
  }
  if (relations.some(relation => relation.kind === 'package' || relation.kind === 'oleObject'))
    flags.add('EMBEDDED_FILES')
  if (relations.some(relation => PICTURES.has(relation.kind))) flags.add('PICTURES')
  if (paragraphs.length === 0 && flags.size === 0) return { ok: false, reason: 'FILE_EMPTY' }
  return { ok: true, document: { kind: 'flow', pages: [], paragraphs, flags: [...flags].toSorted(), pageCount: 0 } }
}

/** Elements of all parts together: a long contract has about 200,000. */
const MAX_NODES = 1_500_000

function mainPart(parts: ReadonlyMap<string, Buffer>): string | null {
  const root = parts.get('_rels/.rels')
  const named = root && readRelations(root, '').find(relation => relation.kind === 'officeDocument')?.target
  if (named && parts.has(named)) return named
  return parts.has('word/document.xml') ? 'word/document.xml' : null
}

function relationsOf(parts: ReadonlyMap<string, Buffer>, main: string): Relation[] {
  const slash = main.lastIndexOf('/') + 1
  const source = parts.get(`${main.slice(0, slash)}_rels/${main.slice(slash)}.rels`)
  return source ? readRelations(source, main.slice(0, slash)) : []
}

/** Whether even pages have headers of their own. */
function hasEvenPages(settings: Buffer | undefined): boolean {
  let has = false
  if (settings === undefined) return has
  readXml(settings, {
    open(name, attributes) {
      if (name === 'evenAndOddHeaders') has = isOn(attributes.get('val'))
    },
    close() {}
  })
  return has
}

/** The parts beside the body that a reader of the document sees. */
function sideParts(relations: readonly Relation[], sections: Sections, hasEven: boolean): Relation[] {
  const shown = sections.shown(hasEven)
  const isShown = ({ kind, id }: Relation): boolean => (kind === 'header' || kind === 'footer' ? shown.has(id) : true)
  return SIDE_PARTS.flatMap(kind => relations.filter(relation => relation.kind === kind && isShown(relation)))
}
