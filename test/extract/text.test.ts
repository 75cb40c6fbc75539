import t from 'tap'
import { decodeText } from '../../src/extract/text/decode-text.ts'
import { markdownParagraphs } from '../../src/extract/text/markdown.ts'
import { readText } from '../../src/extract/text/read-text.ts'

const limits = { pages: 10, characters: 1000 }

t.test('the encoding is found', t => {
  t.equal(decodeText(Buffer.from('\ufeffcafé')), 'café')
  t.equal(decodeText(Buffer.from('\ufeffcafé', 'utf16le')), 'café')
  t.equal(decodeText(Buffer.from('\ufeffcafé', 'utf16le').swap16()), 'café')
  t.equal(decodeText(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x80])), 'café€')
  t.equal(decodeText(Buffer.from('a\0b\tc')), 'a\ufffdb\tc', 'no NUL is passed on')
  t.end()
})

t.test('signs nobody sees part no words', t => {
  t.equal(decodeText(Buffer.from('In\u00adsured:\u200b \u200e$1,\ufeff200')), 'Insured: $1,200')
  t.end()
})

t.test('plain text is one paragraph per line', t => {
  t.match(readText(Buffer.from('One\r\n\r\n  Two\n'), 'text/plain', limits), {
    ok: true,
    document: {
      kind: 'flow',
      paragraphs: [
        { index: 1, text: 'One' },
        { index: 2, text: 'Two' }
      ]
    }
  })
  t.strictSame(readText(Buffer.from(' \n'), 'text/plain', limits), { ok: false, reason: 'FILE_EMPTY' })
  t.throws(() => readText(Buffer.from('x'.repeat(1001)), 'text/plain', limits), /more text/)
  t.end()
})

t.test('Markdown loses its marks and keeps its words', t => {
  const lines = [
    '# LEASE **AGREEMENT** #',
    '**Tenant:** Snake_Case & Co \\*',
    '- [x] item with a [link](https://example.test)',
    '---',
    '**1. Rent**',
    '__________ (blank)',
    '| Term | Value |',
    '|:-----|------:|',
    '| Base | $1,200 |',
    'after'
  ]
  const paragraphs = markdownParagraphs(lines)
  t.strictSame(
    paragraphs.map(paragraph => paragraph.text),
    [
      'LEASE AGREEMENT',
      'Tenant: Snake_Case & Co *',
      '[x] item with a link',
      '1. Rent',
      '__________ (blank)',
      'Term',
      'Value',
      'Base',
      '$1,200',
      'after'
    ]
  )
  t.match(paragraphs[0], { heading: 1 })
  t.equal(paragraphs[3]?.bold, true)
  t.match(paragraphs[8]?.cell, { table: 0, row: 1, column: 1 })
  t.end()
})

t.test('a megabyte of any mark is read in linear time', t => {
  for (const mark of ['*', '_', '[', '|', '#', '> ', '`', '\\', '|-', '[a](', '__a']) {
    const started = performance.now()
    markdownParagraphs([mark.repeat(1_000_000 / mark.length)])
    t.ok(performance.now() - started < 5000, `'${mark}'`)
  }
  t.end()
})
