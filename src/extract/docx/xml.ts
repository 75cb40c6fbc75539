import { SaxesParser } from 'saxes'

/** The XML of a part is not well-formed, or holds what no document needs (a DOCTYPE, absurd nesting). */
export class XmlFault extends Error {}

/** Attributes by local name. */
export type Attributes = ReadonlyMap<string, string>

export interface XmlHandler {
  open(name: string, attributes: Attributes): void
  text?(text: string): void
  close(name: string): void
}

const MAX_DEPTH = 1000
const CHUNK = 64 * 1024

/**
 * Reads XML and tells elements by local name, so that documents of the strict and the transitional format
 * read the same. Entities other than XML's own five are refused, and with a DOCTYPE the whole part.
 */
export function readXml(source: Buffer, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  parser.on('doctype', () => {
    throw new XmlFault('a part declares a document type')
  })
  parser.on('error', error => {
    throw new XmlFault('a part is not well-formed', { cause: error })
  })
  parser.on('opentag', tag => {
    depth += 1
    if (depth > MAX_DEPTH) throw new XmlFault('a part is nested too deeply')
    const attributes = new Map<string, string>()
    for (const attribute of Object.values(tag.attributes)) attributes.set(attribute.local, attribute.value)
    handler.open(tag.local, attributes)
  })
  parser.on('closetag', tag => {
    depth -= 1
    handler.close(tag.local)
  })
  if (handler.text) parser.on('text', text => handler.text?.(text))
  const text = decodeXml(source)
  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  parser.close()
}

/** Parts are UTF-8 or UTF-16, told by their first bytes. */
function decodeXml(source: Buffer): string {
  const utf16le = (source[0] === 0xff && source[1] === 0xfe) || (source[0] === 0x3c && source[1] === 0)
  const utf16be = (source[0] === 0xfe && source[1] === 0xff) || (source[0] === 0 && source[1] === 0x3c)
  const encoding = utf16le ? 'utf-16le' : utf16be ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(source)
  } catch (error) {
    throw new XmlFault('a part is not text', { cause: error })
  }
}
