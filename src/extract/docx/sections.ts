import type { Attributes } from './xml.ts'

/** Which headers and footers the sections of a document show. */
export class Sections {
  private readonly named: { readonly id: string; readonly type: string }[] = []
  private hasFirst = false

  /** Takes note of an element of the properties of a section. */
  open(name: string, attributes: Attributes, isOn: boolean): void {
    if (name === 'headerReference' || name === 'footerReference') {
      this.named.push({ id: attributes.get('id') ?? '', type: attributes.get('type') ?? 'default' })
    } else if (name === 'titlePg' && isOn) this.hasFirst = true
  }

  /** Ids of the relations that are shown: first pages and even pages have their own only where the document says so. */
  shown(hasEven: boolean): ReadonlySet<string> {
    const isShown = (type: string): boolean =>
      type === 'first' ? this.hasFirst : type === 'even' ? hasEven : type === 'default'
    return new Set(this.named.filter(({ type }) => isShown(type)).map(({ id }) => id))
  }
}
