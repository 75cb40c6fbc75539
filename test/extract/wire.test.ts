import t from 'tap'
import { frameOf, readFrames } from '../../src/extract/frames.ts'
import { decodeAnswer, encodeAnswer } from '../../src/extract/wire.ts'
import type { DocumentText } from '../../src/model/document-text.ts'

const word = (text: string, x: number): DocumentText['pages'][number]['lines'][number]['words'][number] => ({
  text,
  box: [x, 0.1, x + 0.1, 0.12],
  size: 10.5,
  bold: text === 'Policy',
  source: text === 'form' ? 'form' : 'text',
  confidence: 0.8
})

const line = {
  text: 'Policy form',
  words: [word('Policy', 0.1), word('form', 0.3)],
  box: [0.1, 0.1, 0.4, 0.12]
} as const
const grids = [
  {
    columns: [0.1, 0.5, 0.9],
    rows: [0.2, 0.25, 0.3],
    cells: [
      { row: 0, column: 0, rowSpan: 1, columnSpan: 2 },
      { row: 1, column: 0, rowSpan: 1, columnSpan: 1 },
      { row: 1, column: 1, rowSpan: 1, columnSpan: 1 }
    ]
  }
]
const paged: DocumentText = {
  kind: 'paged',
  pages: [{ number: 1, width: 612, height: 792, lines: [line], hasUsableText: true, imageShare: 0.25, grids }],
  paragraphs: [],
  flags: ['XREF_REBUILT'],
  pageCount: 1
}

t.test('an answer comes back as it was', t => {
  const cell = { table: 0, row: 1, column: 2, rowSpan: 1, columnSpan: 3 }
  const paragraphs = [{ index: 1, text: 'Rent', bold: true, heading: 2, cell }]
  const flow: DocumentText = { kind: 'flow', pages: [], paragraphs, flags: [], pageCount: 0 }
  for (const document of [paged, flow]) {
    t.strictSame(decodeAnswer(Buffer.from(encodeAnswer({ ok: true, document }))), { ok: true, document })
  }
  const refusal = { ok: false, reason: 'FILE_CORRUPT' } as const
  t.strictSame(decodeAnswer(Buffer.from(encodeAnswer(refusal))), refusal)
  t.end()
})

t.test('an answer that is anything else is refused', t => {
  const good = encodeAnswer({ ok: true, document: paged })
  const bad: Readonly<Record<string, string>> = {
    'not JSON': good.slice(0, -1),
    'an unknown member': good.replace('"kind"', '"more":1,"kind"'),
    'a NUL': good.replace('Policy', String.raw`Pol\u0000icy`),
    'half a character': good.replace('Policy', String.raw`\ud800`),
    'counts that do not agree': good.replace('"lines":[2]', '"lines":[3]'),
    'a cell outside of its table': good.replace('"cells":[0,0,1,2', '"cells":[0,0,1,3'),
    'half a cell': good.replace('"cells":[0,0,1,2', '"cells":[0,0,1,2,0'),
    'a number below zero': good.replace('10000,', '-1,'),
    'an unknown reason': '{"ok":false,"reason":"NONE_OF_OURS"}',
    'a reason of the prototype': '{"ok":false,"reason":"toString"}',
    'text as detail': '{"ok":false,"reason":"FILE_CORRUPT","detail":"Jane Doe"}'
  }
  for (const [name, body] of Object.entries(bad)) {
    t.not(body, good, `${name} differs`)
    t.throws(() => decodeAnswer(Buffer.from(body)), name)
  }
  t.end()
})

t.test('messages are found whatever pieces they come in, and long ones are refused', async t => {
  const bytes = Buffer.concat([frameOf(Buffer.from('one')), frameOf(Buffer.from('')), frameOf(Buffer.from('three'))])
  async function* inPieces(size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  for (const size of [1, 3, 7, 100]) {
    const found: string[] = []
    for await (const frame of readFrames(inPieces(size), 10)) found.push(frame.toString())
    t.strictSame(found, ['one', '', 'three'], `pieces of ${size}`)
  }
  await t.rejects(async () => {
    for await (const frame of readFrames(inPieces(100), 4)) t.ok(frame)
  }, RangeError)
})
