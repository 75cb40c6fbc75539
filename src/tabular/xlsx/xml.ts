import { SaxesParser } from 'saxes'
import type { ReasonCode } from '../../model/reasons.ts'

/** Why a workbook cannot be read as a whole. A fact about the submitted file; `detail` holds no content of it. */
export class WorkbookFault extends Error {
  readonly reason: ReasonCode

  constructor(reason: ReasonCode, detail: string) {
    super(detail)
    this.name = 'WorkbookFault'
    this.reason = reason
  }
}

export const corrupt = (detail: string): WorkbookFault => new WorkbookFault('FILE_CORRUPT', detail)

export interface XmlHandler {
  /** `name` is local; `attributes` are by their names as written. */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** No part of a workbook comes near; a deeper one is made to exhaust memory. */
const MAX_DEPTH = 100
/** Most attributes' text of one element that is looked at is a formula-free cell's: names, styles, references. */
const MAX_ATTRIBUTES = 200

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads the XML of a part while its bytes arrive, pausing after each piece. Elements are told by local name, so that the
 * strict and the transitional format read the same. Throws `WorkbookFault` for what is not well-formed, not text or
 * declares a document type.
 */
export async function* readXml(source: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = parserFor(handler)
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const bytes of source) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
    write(parser, decode(decoder, bytes, true))
    yield
  }
  write(parser, decoder === undefined ? '' : decode(decoder, new Uint8Array(), false))
  parser.close()
  yield
}

/** Reads a part to its end. */
export async function readWhole(source: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const pieces = readXml(source, handler)
  while (!(await pieces.next()).done);
}

function parserFor(handler: XmlHandler): SaxesParser {
  const parser = new SaxesParser()
  let depth = 0
  parser.on('doctype', () => {
    throw corrupt('a part declares a document type')
  })
  parser.on('error', () => {
    throw corrupt('a part is not well-formed XML')
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > MAX_DEPTH) throw corrupt('a part is nested too deeply')
    let count = 0
    for (const _ in attributes) if (++count > MAX_ATTRIBUTES) throw corrupt('an element has too many attributes')
    handler.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handler.close(localName(name))
  })
  parser.on('text', text => handler.text(text))
  parser.on('cdata', text => handler.text(text))
  return parser
}

function write(parser: SaxesParser, text: string): void {
  if (text !== '') parser.write(text)
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream })
  } catch {
    throw corrupt('a part is not text')
  }
}

/** Parts are UTF-8 or UTF-16, told by their first bytes. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return 'utf-8'
}
