import t from 'tap'
import { planContent } from '../../src/media/plan-content.ts'
import { makeZip } from './zip-builder.ts'

const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('WordDocument', 'utf16le')])
const RTF = Buffer.from('{\\rtf1 Policy Number: HX-1}')
const open = (type: string): Buffer =>
  makeZip([{ name: 'mimetype', content: Buffer.from(`application/vnd.oasis.opendocument.${type}`), method: 0 }])

async function faultOf(filename: string, head: Buffer, declaredType: string | null = null): Promise<unknown> {
  const { chunks } = await planContent(
    { filename, declaredType, size: head.length, head },
    { takesDocuments: true, split: () => Promise.reject(new Error('not split')), onSplitFailure: () => undefined }
  )
  return chunks[0]?.fault
}

t.test('a document of an old or other kind says what to send instead', async t => {
  const files: readonly (readonly [string, Buffer, RegExp])[] = [
    ['lease.doc', OLE, /Word 97–2003; save it as \.docx or PDF/],
    ['lease.rtf', RTF, /rich text document; save it as \.docx or PDF/],
    ['lease.odt', open('text'), /OpenDocument text; save it as \.docx or PDF/],
    ['lease.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), /HEIC picture; save it as JPEG or PDF/],
    ['permits.ods', open('spreadsheet'), /OpenDocument sheet; save it as \.xlsx or CSV/]
  ]
  for (const [name, head, detail] of files) {
    t.match(await faultOf(name, head), { code: 'FILE_TYPE_UNSUPPORTED', detail }, name)
  }
  t.match(await faultOf('lease.pdf', RTF, 'application/pdf'), { code: 'FILE_TYPE_MISMATCH', detail: /save it as/ })
})

t.test('a type that is read is no fault', async t => {
  t.equal(await faultOf('lease.pdf', Buffer.from('%PDF-1.7\n')), null)
})
