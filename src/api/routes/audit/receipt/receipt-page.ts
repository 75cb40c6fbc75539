import { count, type FileSubject, noTotals, type RecordSubject } from '../../../../audit/receipt/form.ts'
import type { ReceiptParts } from '../../../../audit/receipt/write-receipt.ts'
import { escapeHtml, listOf, PAGE_END, pageTop, rowOf, TABLE_END, tableTop } from '../../../present/html-page.ts'

const FILE_HEADINGS = ['No.', 'Name', 'Type', 'Bytes', 'SHA-256']
const RECORD_HEADINGS = ['File', 'Row', 'Line', 'What became of it', 'Reasons', 'Record', 'Key of the content']

/** What became of a record, in words. */
function fateText({ state, duplicate_of: duplicateOf, follows, replaced_by: replacedBy, erased_at }: RecordSubject) {
  const parts = [state ?? 'unknown']
  if (duplicateOf !== null) parts.push(`the same content as record ${duplicateOf}`)
  if (follows !== null) parts.push(`ended as record ${follows} did`)
  if (replacedBy !== null) parts.push(`replaced by record ${replacedBy}`)
  if (erased_at !== null) parts.push(`its values were erased on ${erased_at}`)
  return parts.join('; ')
}

const fileRow = (file: FileSubject): string =>
  rowOf([file.number, file.filename, file.media_type, file.size, file.sha256])

const recordRow = (one: RecordSubject): string =>
  rowOf([one.file, one.row, one.line, fateText(one), one.codes.join(', '), one.id, one.key])

/** A receipt as a page to read and print, streamed like the receipt itself. */
export async function* receiptPage({ header, sections }: ReceiptParts): AsyncGenerator<string> {
  const { batch, jurisdiction, checkpoint } = header
  yield pageTop(`Receipt for batch ${batch.id}`)
  yield listOf([
    ['Jurisdiction', jurisdiction],
    ['Kind of record', batch.profile],
    ['Source', batch.source ?? 'none was named'],
    ['Filed by', batch.submitter],
    ['Received', batch.received_at],
    [batch.state === 'completed' ? 'Completed' : 'Cancelled', batch.finished_at]
  ])
  const totals = noTotals()
  let table: 'none' | 'file' | 'record' = 'none'
  for await (const { subjects } of sections) {
    const lines: string[] = []
    for (const subject of subjects) {
      count(totals, subject)
      if (subject.kind === 'batch') continue
      if (table !== subject.kind) {
        const isFile = subject.kind === 'file'
        lines.push(table === 'none' ? '' : TABLE_END)
        lines.push(tableTop(isFile ? 'Files' : 'Records', isFile ? FILE_HEADINGS : RECORD_HEADINGS))
        table = subject.kind
      }
      lines.push(subject.kind === 'file' ? fileRow(subject) : recordRow(subject))
    }
    yield lines.join('')
  }
  if (table !== 'none') yield TABLE_END
  yield '<h2>In all</h2>\n'
  yield listOf(Object.entries(totals).map(([name, number]) => [name, String(number)] as const))
  yield '<h2>Proof</h2>\n<p>This page is for reading. The receipt that proves it is the JSON document of the same address ' +
    'without .html: it is signed, holds the path of every record into the log below, and is verified without Docket with ' +
    '<code>docket audit receipt</code> or <code>tools/verify_receipt.py</code>.</p>\n'
  yield `<pre>${escapeHtml(checkpoint)}</pre>\n${PAGE_END}`
}
