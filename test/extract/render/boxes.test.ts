import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { PDF, testExtractor } from '../extractor-fixture.ts'
import { inkIn, inkOutside, onePage, type PdfOptions, shown, testRenderer } from './render-fixture.ts'

const WORDS = ['Policy', 'Number:', 'HX-700131', 'Premium:', '$1,250.00', 'Insured:', 'Wrenfield', 'Bakery']
/** Four lines of words, the first at `x`, `y`, under a matrix that turns them; the others follow across the writing. */
function lines(x: number, y: number, matrix: readonly [number, number, number, number] = [1, 0, 0, 1]): string {
  const [a, b, c, d] = matrix
  return [0, 1, 2, 3]
    .map(row => {
      const place = `${x - c * row * 40} ${y - d * row * 40}`
      return `BT /F1 14 Tf ${a} ${b} ${c} ${d} ${place} Tm (${WORDS[row * 2]} ${WORDS[row * 2 + 1]}) Tj ET`
    })
    .join('\n')
}

/** A page whose text stands turned is read, and drawn, upright. */
const PAGES: readonly (readonly [string, PdfOptions, readonly [number, number]])[] = [
  ['upright', { content: lines(72, 700) }, [612, 792]],
  ['turned by 90', { rotate: 90, content: lines(72, 700) }, [612, 792]],
  ['turned by 180', { rotate: 180, content: lines(72, 700) }, [612, 792]],
  ['turned by 270', { rotate: 270, content: lines(72, 700) }, [612, 792]],
  ['written upwards on a page turned by 90', { rotate: 90, content: lines(100, 200, [0, 1, -1, 0]) }, [792, 612]],
  ['written upwards on an upright page', { content: lines(100, 200, [0, 1, -1, 0]) }, [792, 612]],
  ['written downwards on an upright page', { content: lines(400, 700, [0, -1, 1, 0]) }, [792, 612]],
  ['written upside down', { content: lines(500, 300, [-1, 0, 0, -1]) }, [612, 792]],
  ['cropped', { cropBox: [50, 400, 450, 760], content: lines(72, 700) }, [400, 360]],
  ['cropped and turned', { rotate: 90, cropBox: [50, 400, 450, 760], content: lines(72, 700) }, [400, 360]],
  ['from another corner', { mediaBox: [-100, -200, 512, 592], content: lines(72, 500) }, [612, 792]],
  ['cropped larger than its sheet', { cropBox: [-50, -50, 900, 900], content: lines(72, 700) }, [612, 792]]
]

t.test('the boxes of the words lie on the words of the picture', async t => {
  const folder = t.testdir()
  const extractor = testExtractor(t, { tempDir: join(folder, 'read') })
  const renderer = testRenderer(t, { tempDir: join(folder, 'draw') })
  for (const [name, options, [width, height]] of PAGES) {
    const path = join(folder, 'page.pdf')
    writeFileSync(path, onePage(options))
    const read = await extractor.extract(path, PDF)
    if (!read.ok) throw new Error(`${name}: ${read.reason}`)
    const { page, picture } = shown(await renderer.draw(path, PDF, { number: 1, size: 'medium' }))
    const words = wordsOf(read.document)
    t.strictSame(words.map(word => word.text).toSorted(), WORDS.toSorted(), name)
    t.strictSame([page.width, page.height], [width, height], `${name}: its size`)
    const read1 = read.document.pages[0]
    t.strictSame([read1?.width, read1?.height], [page.width, page.height], `${name}: the size it was read with`)
    for (const word of words) t.ok(inkIn(picture, word.box) > 100, `${name}: ink in the box of ${word.text}`)
    const boxes = words.map(word => word.box)
    t.ok(inkOutside(picture, boxes, 3) < 0.01, `${name}: no ink elsewhere (${inkOutside(picture, boxes, 3)})`)
    // The check can fail: boxes that are turned or moved are on white.
    const turned = boxes.map(([x0, y0, x1, y1]) => [1 - x1, 1 - y1, 1 - x0, 1 - y0] as const)
    t.ok(inkOutside(picture, turned, 3) > 0.9, `${name}: boxes turned round lie elsewhere`)
    const moved = boxes.map(([x0, y0, x1, y1]) => [x0, y0 + 0.03, x1, y1 + 0.03] as const)
    t.ok(inkOutside(picture, moved, 3) > 0.5, `${name}: boxes a little lower lie elsewhere`)
  }
})

function wordsOf(document: DocumentText): DocumentText['pages'][number]['lines'][number]['words'] {
  return document.pages.flatMap(page => page.lines.flatMap(line => line.words))
}
