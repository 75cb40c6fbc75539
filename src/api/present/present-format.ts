import { z } from 'zod'
import type { FileFormat } from '../../pipeline/split/file-format.ts'
import type { ColumnProof } from '../../profiles/tabular/source-options.ts'
import type { TabularFormat } from '../../tabular/format.ts'

const Proof = z.object({
  column: z.string(),
  date_order: z.enum(['mdy', 'dmy']).nullable(),
  decimal: z.enum(['.', ',']).nullable()
})

/** How a data file is read, and what that rests on. */
export const FormatBody = z
  .object({
    kind: z.enum(['delimited', 'json', 'sheet']),
    encoding: z.string(),
    delimiter: z.string().nullable(),
    quote: z.string().nullable().meta({ description: 'null where quote marks are ordinary characters' }),
    escape: z.enum(['double', 'backslash']).nullable(),
    header_line: z.number().int().nullable().meta({ description: 'null where the file has no header' }),
    data_line: z.number().int().meta({ description: 'Line on which records begin' }),
    evidence: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'What the decision rests on: names, counts and shares, never content' }),
    proofs: z.array(Proof).meta({ description: 'What all cells of a column together prove of how it is written' })
  })
  .meta({ id: 'FileFormat' })
type FormatBody = z.infer<typeof FormatBody>

function dialectOf(format: TabularFormat): Pick<FormatBody, 'delimiter' | 'quote' | 'escape'> {
  if (format.kind !== 'delimited') return { delimiter: null, quote: null, escape: null }
  const { delimiter, quote, escape } = format.dialect
  return { delimiter, quote, escape: quote === null ? null : escape }
}

function proofsOf(columns: readonly ColumnProof[]): FormatBody['proofs'] {
  return columns
    .filter(({ dateOrder, decimal }) => dateOrder !== undefined || decimal !== undefined)
    .map(({ name, dateOrder = null, decimal = null }) => ({ column: name, date_order: dateOrder, decimal }))
}

/** The stored decision as answered; sheets are shown in the encoding of their workbook's text. */
export function presentFormat({ tabular, evidence }: Pick<FileFormat, 'tabular' | 'evidence'>): FormatBody {
  return {
    kind: tabular.kind,
    encoding: tabular.encoding,
    ...dialectOf(tabular),
    header_line: tabular.kind === 'json' ? null : tabular.headerLine,
    data_line: tabular.dataLine,
    evidence: { ...tabular.evidence },
    proofs: proofsOf(evidence.columns)
  }
}
