import { createHash } from 'node:crypto'
import type { Json } from '../../model/json.ts'
import { signNote } from '../log/signing/signed-note.ts'
import { originOf } from '../log/signing/signing-keys.ts'
import { growTree } from '../log/tree/growing-tree.ts'
import { leafHash } from '../merkle.ts'
import type { SigningKeys } from '../receipt/write-receipt.ts'
import type { ReleasedField } from './commitments.ts'
import type { PublicExport } from './note-export.ts'

/** First member of every such export: what it is and in which form. */
export const PUBLIC_FORM = 'docket-public-export/1'

/** A record as it is released. `erased`: nothing of it is kept. `unsalted`: older than salts, so its fields cannot be committed to. */
export interface ReleasedRecord {
  readonly id: string
  readonly batch: string
  readonly profile: string
  readonly file: number
  readonly row: number | null
  readonly state: string
  readonly codes: readonly string[]
  readonly fields: Readonly<Record<string, ReleasedField>>
  readonly root: string | null
  readonly kept: 'whole' | 'erased' | 'unsalted'
}

/** The text that an export's signatures are over. */
export const publicText = (origin: string, id: string, digest: Buffer): string =>
  `${origin}\npublic-export ${id}\n${digest.toString('base64')}\n`

const line = (value: object): string => `${JSON.stringify(value)}\n`

/**
 * The lines of an export, one JSON object each: what it is about, the records, their number with a root over their lines,
 * and the signatures over all bytes before their line. `released` is told of the digest before that last line is given.
 */
export async function* publicLines(
  begun: PublicExport,
  records: AsyncIterable<readonly ReleasedRecord[]>,
  signing: SigningKeys,
  released: (what: { readonly [name: string]: Json }) => Promise<void>
): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const tree = growTree()
  const { jurisdiction, id, about } = begun
  const head = line({ form: PUBLIC_FORM, jurisdiction, export: id, about })
  digest.update(head)
  yield head
  for await (const page of records) {
    const lines = page.map(record => line(record))
    for (const one of lines) {
      digest.update(one)
      tree.append(leafHash(Buffer.from(one)))
    }
    tree.takeTiles()
    yield lines.join('')
  }
  const end = line({ records: tree.size, root: tree.root().toString('hex') })
  const sum = digest.update(end).digest()
  await released({ records: tree.size, root: tree.root().toString('hex'), digest: sum.toString('hex') })
  yield end
  const origin = originOf(signing.origin, jurisdiction)
  yield line({ signature: signNote(publicText(origin, id, sum), origin, signing.keys) })
}
