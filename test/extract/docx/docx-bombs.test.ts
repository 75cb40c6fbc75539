import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readDocx } from '../../../src/extract/docx/read-docx.ts'
import { makeZip } from '../../media/zip-builder.ts'
import { DOCX, testExtractor } from '../extractor-fixture.ts'

const LIMITS = { pages: 100, characters: 1_000_000 }
const HEAD =
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Tenant'
const TAIL = '</w:t></w:r></w:p></w:body></w:document>'
const MEGABYTE = 1024 * 1024

const documentOf = (text: string): Buffer => Buffer.from(HEAD + text + TAIL)
const withText = (text: string, claimed?: number): Buffer =>
  makeZip([{ name: 'word/document.xml', content: documentOf(text), ...(claimed === undefined ? {} : { claimed }) }])

t.test('a part that unfolds beyond the limits is refused before it is read, whatever its header says', async t => {
  const spaces = ' '.repeat(40 * MEGABYTE)
  for (const bomb of [withText(spaces), withText(spaces, 10)]) {
    t.ok(bomb.length < MEGABYTE, `${bomb.length} bytes`)
    t.strictSame(await readDocx(bomb, LIMITS), { ok: false, reason: 'FILE_TOO_LARGE' })
  }
  const many = Array.from({ length: 2001 }, (_, at) => ({ name: `word/e${at}.xml`, content: Buffer.alloc(0) }))
  const crowd = makeZip([{ name: 'word/document.xml', content: documentOf('') }, ...many])
  t.strictSame(await readDocx(crowd, LIMITS), { ok: false, reason: 'FILE_TOO_LARGE' })
  t.match(await readDocx(withText(' Ann Example'), LIMITS), { ok: true }, 'the same file with less in it is read')
})

t.test('and its process is there for the next document', async t => {
  const folder = t.testdir()
  const extractor = testExtractor(t, { tempDir: join(folder, 'temp') })
  const read = (name: string, bytes: Buffer) => {
    writeFileSync(join(folder, name), bytes)
    return extractor.extract(join(folder, name), DOCX)
  }
  t.match(await read('bomb.docx', withText(' '.repeat(40 * MEGABYTE))), { ok: false, reason: 'FILE_TOO_LARGE' })
  t.match(await read('good.docx', withText(' Ann Example')), { ok: true })
})
