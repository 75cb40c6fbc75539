import { readXml } from './xml.ts'

/** What a part refers to inside the same file. */
export interface Relation {
  readonly id: string
  /** Last word of the relationship's type: `header`, `styles`, `image` … */
  readonly kind: string
  /** Name of the entry. */
  readonly target: string
}

/** Reads a relationships part. External targets are left out: nothing outside the file is ever opened. */
export function readRelations(source: Buffer, folder: string): Relation[] {
  const relations: Relation[] = []
  readXml(source, {
    open(name, attributes) {
      const target = attributes.get('Target')
      if (name !== 'Relationship' || target === undefined || attributes.get('TargetMode') === 'External') return
      const kind = attributes.get('Type')?.split('/').at(-1) ?? ''
      relations.push({ id: attributes.get('Id') ?? '', kind, target: resolveName(folder, target) })
    },
    close() {}
  })
  return relations
}

function resolveName(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const parts = folder.split('/').filter(part => part !== '')
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
