import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { linesOf, picture, recognise, testRecogniser } from './ocr-fixture.ts'

const program = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/ocr/programs/${name}.ts`, import.meta.url))

test('another engine is named by its module, which may read what lies beside it, and results are kept under its name', async t => {
  const recogniser = await testRecogniser(t, { engine: program('sizes-engine') })
  t.match(recogniser.version, /sizes@1$/)
  t.strictSame(linesOf(await recognise(recogniser, picture('plain.png'))), ['page wide'])
  const own = await testRecogniser(t, { tempDir: t.testdir() })
  t.match(own.version, /tesseract-wasm@[\d.]+ eng-fast-[0-9a-f]{8}$/)
})

test('a module that is no engine is refused at the start', async t => {
  await t.rejects(testRecogniser(t, { engine: program('half-engine') }), { name: 'TypeError' })
})

test('a page at which the engine is stuck costs the others nothing', async t => {
  const recogniser = await testRecogniser(t, { engine: program('stuck-engine'), pageSeconds: 2 })
  const read = await recognise(recogniser, picture('two-pages.tiff'))
  if (!('pages' in read)) throw new Error(`${read.reason} ${read.detail}`)
  t.strictSame(linesOf(read, 0), ['head'])
  t.strictSame(linesOf(read, 1), [])
  t.strictSame(
    read.pages.map(page => page.hasUsableText),
    [true, false]
  )
  t.ok(read.flags.includes('PAGES_NOT_RECOGNISED'))
})
