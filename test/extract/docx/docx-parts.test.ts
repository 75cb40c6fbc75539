import t from 'tap'
import type { ChildAnswer } from '../../../src/extract/answer.ts'
import { readDocx } from '../../../src/extract/docx/read-docx.ts'
import { makeZip } from '../../media/zip-builder.ts'

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const STRICT = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PLACES = `${WORD} xmlns:r="${RELS}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"`

interface Made {
  readonly body: string
  /** Kind → content of a part beside the body; several of a kind as `header`, `header2` … */
  readonly parts?: Readonly<Record<string, string>>
  readonly external?: readonly string[]
  readonly spaces?: string
}

const kindOf = (name: string): string => name.replace(/\d+$/, '')

function relationsOf({ parts = {}, external = [] }: Made): string {
  const own = Object.keys(parts).map(
    name => `<Relationship Id="${name}" Type="${RELS}/${kindOf(name)}" Target="${name}.xml"/>`
  )
  const outer = external.map(
    (kind, at) =>
      `<Relationship Id="x${at}" Type="${RELS}/${kind}" Target="https://example.invalid/a" TargetMode="External"/>`
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${[...own, ...outer].join('')}</Relationships>`
}

async function answerTo(made: Made): Promise<ChildAnswer> {
  const entries: Record<string, string> = {
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${made.spaces ?? PLACES}><w:body>${made.body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationsOf(made)
  }
  for (const [name, content] of Object.entries(made.parts ?? {})) entries[`word/${name}.xml`] = content
  const zip = makeZip(Object.entries(entries).map(([name, content]) => ({ name, content: Buffer.from(content) })))
  return readDocx(zip, { pages: 10, characters: 100_000 })
}

async function read(made: Made): Promise<{ texts: string[]; flags: readonly string[] }> {
  const answer = await answerTo(made)
  if (!answer.ok) throw new Error(answer.reason)
  return { texts: answer.document.paragraphs.map(({ text }) => text), flags: answer.document.flags }
}

const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const paragraph = (text: string, properties = '', own = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${run(text, own)}</w:p>`
const part = (name: string, content: string): string => `<w:${name} ${PLACES}>${content}</w:${name}>`
const inList = (text: string, level: number, list = 1): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const level = (at: number, format: string, text: string, start = 1): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`

const NUMBERING = part(
  'numbering',
  `<w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '(%2)')}${level(2, 'upperRoman', '%1.%2.%3')}</w:abstractNum>
   <w:abstractNum w:abstractNumId="8">${level(0, 'bullet', '•')}</w:abstractNum>
   <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
   <w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`
)

t.test('numbers of lists are text, as they are shown; bullets are none', async t => {
  const items = [
    inList('Term', 0),
    inList('Start', 1),
    inList('End', 1),
    inList('', 1),
    inList('Notice', 1),
    inList('By post', 2),
    inList('Rent', 0),
    inList('Base', 1),
    inList('Not counted', 0, 2),
    inList('Anew', 0, 3),
    inList('Unknown list', 0, 99)
  ]
  const { texts } = await read({ body: items.join(''), parts: { numbering: NUMBERING } })
  t.strictSame(texts, [
    '1. Term',
    '(a) Start',
    '(b) End',
    '(d) Notice',
    '1.d.I By post',
    '2. Rent',
    '(a) Base',
    'Not counted',
    '1. Anew',
    'Unknown list'
  ])
})

t.test('a style numbers its paragraphs, and a paragraph may leave its list', async t => {
  const styles = part(
    'styles',
    '<w:style w:styleId="Clause"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:styleId="Sub"><w:basedOn w:val="Clause"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>'
  )
  const body = [
    paragraph('Term', '<w:pStyle w:val="Clause"/>'),
    paragraph('Start', '<w:pStyle w:val="Sub"/>'),
    paragraph('Plain', '<w:pStyle w:val="Clause"/><w:numPr><w:numId w:val="0"/></w:numPr>')
  ]
  const { texts } = await read({ body: body.join(''), parts: { numbering: NUMBERING, styles } })
  t.strictSame(texts, ['1. Term', '(a) Start', 'Plain'])
})

const reference = (kind: string, id: string, type: string): string =>
  `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`

t.test(
  'headers, footers and notes are read after the body, those of pages that have none of their own are not',
  async t => {
    const references = [
      reference('header', 'header', 'default'),
      reference('header', 'header2', 'first'),
      reference('footer', 'footer', 'default'),
      reference('footer', 'footer2', 'even')
    ].join('')
    const parts = {
      header: part('hdr', paragraph('Policy HX-1')),
      header2: part('hdr', paragraph('Policy HX-2, of the first page')),
      header3: part('hdr', paragraph('Policy HX-3, of no page')),
      footer: part('ftr', paragraph('Page 1')),
      footer2: part('ftr', paragraph('Even page')),
      footnotes: part('footnotes', `<w:footnote w:id="1">${paragraph('A note')}</w:footnote>`),
      comments: part('comments', `<w:comment w:id="1">${paragraph('A remark')}</w:comment>`)
    }
    const body = (more: string): string => `${paragraph('Text')}<w:sectPr>${references}${more}</w:sectPr>`
    t.strictSame((await read({ body: body(''), parts })).texts, ['Text', 'Policy HX-1', 'Page 1', 'A note'])
    const own = await read({
      body: body('<w:titlePg/>'),
      parts: { ...parts, settings: part('settings', '<w:evenAndOddHeaders/>') }
    })
    t.strictSame(own.texts, ['Text', 'Policy HX-1', 'Policy HX-2, of the first page', 'Page 1', 'Even page', 'A note'])
  }
)

t.test('letters that nobody sees are not read: hidden by a style, white on paper, one point high', async t => {
  const styles = part(
    'styles',
    '<w:style w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Plain"/>'
  )
  const white = '<w:color w:val="FFFFFF"/>'
  const body = [
    `<w:p>${run('seen')}${run('1', '<w:rStyle w:val="Hidden"/>')}${run('2', white)}${run('3', '<w:sz w:val="2"/>')}${run('4', '<w:vanish/>')}</w:p>`,
    paragraph('5', '<w:pStyle w:val="Hidden"/>'),
    paragraph('shown in spite of its style', '<w:pStyle w:val="Hidden"/>', '<w:vanish w:val="0"/>'),
    paragraph('on a bar', '<w:shd w:val="clear" w:fill="1F3864"/>', white),
    paragraph('marked', '', `${white}<w:highlight w:val="darkBlue"/>`),
    `<w:tbl><w:tr><w:tc>${paragraph('head of a table', '', white)}</w:tc></w:tr></w:tbl>`,
    paragraph('only on paper', '', '<w:webHidden/>')
  ]
  const { texts, flags } = await read({ body: body.join(''), parts: { styles } })
  t.strictSame(texts, ['seen', 'shown in spite of its style', 'on a bar', 'marked', 'head of a table', 'only on paper'])
  t.strictSame(flags, ['HIDDEN_TEXT'])
})

t.test('signs nobody sees part no words', async t => {
  const { texts } = await read({
    body: `<w:p><w:r><w:t>Insur\u00adance \u200e$1,\u200b200</w:t><w:softHyphen/><w:t>.00</w:t></w:r></w:p>`
  })
  t.strictSame(texts, ['Insurance $1,200.00'])
})

t.test('a text box is read once, whichever way it is drawn', async t => {
  const box = (text: string): string => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`
  const choice = `<mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx>${box('New')}</wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox>${box('New')}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent>`
  const old = `<w:pict><v:textbox>${box('Old')}</v:textbox></w:pict>`
  const { texts } = await read({ body: `<w:p><w:r>${choice}</w:r><w:r>${old}</w:r>${run('Text')}</w:p>` })
  t.strictSame(texts.toSorted(), ['New', 'Old', 'Text'])
})

t.test('settings as they were before a pending change are not read', async t => {
  const changed =
    '<w:pStyle w:val="Plain"/><w:pPrChange w:id="1"><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange>'
  const { texts, flags } = await read({ body: paragraph('Text', changed), parts: { numbering: NUMBERING } })
  t.strictSame(texts, ['Text'])
  t.strictSame(flags, [])
})

t.test('the strict format reads as the other', async t => {
  const { texts } = await read({ body: paragraph('Tenant: Ann'), spaces: STRICT })
  t.strictSame(texts, ['Tenant: Ann'])
})

t.test('what is brought in from elsewhere is told and never fetched', async t => {
  const chunk = await read({ body: `${paragraph('Text')}<w:altChunk r:id="x0"/>`, external: ['aFChunk'] })
  t.strictSame(chunk, { texts: ['Text'], flags: ['ALT_CHUNK'] })
  const inside = await read({ body: `${paragraph('Text')}<w:subDoc r:id="x0"/>`, external: ['subDocument'] })
  t.strictSame(inside, { texts: ['Text'], flags: ['SUBDOCUMENT'] })
  const template = await read({ body: paragraph('Text'), external: ['attachedTemplate', 'image', 'mailMergeSource'] })
  t.strictSame(template.texts, ['Text'])
  const chart = await read({ body: paragraph('Text'), parts: { chart: '<c/>' } })
  t.strictSame(chart.flags, ['PICTURES'])
})

t.test('a document of the old kind is none, whatever it is called', async t => {
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
  t.match(await readDocx(old, { pages: 1, characters: 1000 }), { ok: false, reason: 'FILE_TYPE_MISMATCH' })
  t.equal((await answerTo({ body: '' })).ok, false)
})
