import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { linesOf, PDF, testExtractor } from '../extractor-fixture.ts'
import { rawPdf, show, stream } from './raw-pdf.ts'

const extractor = testExtractor(t)

const field = (name: string, caption: string, more = ''): string =>
  `<field name="${name}" w="400pt" h="20pt" ${more}><ui><textEdit/></ui><caption reserve="120pt"><value><text>${caption}</text></value></caption></field>`
const BOX =
  '<field name="paid" w="100pt" h="20pt"><ui><checkButton/></ui><caption><value><text>Paid</text></value></caption><items><text>1</text><text>0</text></items></field>'
const FIELDS = [
  field('number', 'Policy Number:'),
  field('insured', 'Named Insured:'),
  field('from', 'Effective Date:'),
  field('to', 'Expiration Date:'),
  field('total', 'Total Premium:'),
  field('secret', 'Secret:', 'presence="hidden"'),
  field('none', 'Producer:'),
  BOX
].join('')
const TEMPLATE = `<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1" layout="tb"><pageSet><pageArea name="p"><contentArea x="36pt" y="36pt" w="540pt" h="720pt"/><medium stock="letter" short="612pt" long="792pt"/></pageArea></pageSet><subform layout="tb" w="500pt"><draw w="400pt" h="20pt"><value><text>POLICY DECLARATIONS</text></value></draw>${FIELDS}</subform></subform></template>`
const DATA =
  '<form1><number>HX-700131</number><insured>Iris Court LP</insured><from>2024-02-01</from><to>2025-02-01</to><total>1284.00</total><secret>HIDDEN</secret><paid>1</paid></form1>'
const xdp = (data: string): string =>
  `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${TEMPLATE}<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data>${data}</xfa:data></xfa:datasets></xdp:xdp>`

async function read(test: Test, file: string): Promise<DocumentText> {
  const path = join(test.testdir(), 'file.pdf')
  writeFileSync(path, file, 'latin1')
  const outcome = await extractor.extract(path, PDF)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.document
}

const SHELL = show(
  72,
  700,
  'Please wait... If this message is not eventually replaced, your viewer cannot show the form.'
)
const RESOURCES = '/DR << /Font << /F 3 0 R >> >>'

t.test('a form without a drawing of itself is read from its data, hidden fields are not', async t => {
  const catalog = `/NeedsRendering true /AcroForm << /Fields [] ${RESOURCES} /XFA 20 0 R >>`
  const document = await read(t, rawPdf({ pages: [SHELL], catalog, objects: { 20: stream(xdp(DATA)) } }))
  t.same(linesOf(document), [
    'POLICY DECLARATIONS',
    'Policy Number:',
    'HX-700131',
    'Named Insured:',
    'Iris Court LP',
    'Effective Date:',
    '2024-02-01',
    'Expiration Date:',
    '2025-02-01',
    'Total Premium:',
    '1284.00',
    'Producer:',
    'Paid',
    '☒'
  ])
  const [, label, value] = document.pages[0]?.lines ?? []
  t.equal(label?.box[1], value?.box[1], 'a value stands beside its caption')
  t.equal(value?.words[0]?.source, 'form')
  t.same(document.flags, ['XFA_FORM'])
  const { fields } = findFields(policy, document, { today: '2025-06-01', jurisdiction: '53033' })
  t.match(fields, {
    policy_number: { value: 'HX-700131' },
    named_insured: { value: 'Iris Court LP' },
    effective_date: { value: '2024-02-01' },
    premium_total: { value: '1284.00' }
  })
})

t.test('a form field without a value of its own has that of the data beside it', async t => {
  const widget =
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (form1[0].number[0]) /Rect [150 695 400 710] /DA (/F 10 Tf) >>'
  const file = rawPdf({
    pages: [show(72, 700, 'Policy Number:')],
    page: '/Annots [21 0 R]',
    catalog: `/AcroForm << /Fields [21 0 R] ${RESOURCES} /XFA 20 0 R >>`,
    objects: { 20: stream(xdp(DATA)), 21: widget }
  })
  t.same(linesOf(await read(t, file)), ['Policy Number:', 'HX-700131'])
})
