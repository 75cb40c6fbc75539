import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines, paged, pageOf } from './documents.ts'

const codes = (reasons: readonly { code: string; severity: string }[]): string[] =>
  reasons.filter(reason => reason.severity === 'block').map(reason => reason.code)

function held(texts: readonly string[]): { codes: string[]; candidate: ReturnType<typeof findFields> } {
  const candidate = findFields(policy, lines(...texts), CONTEXT)
  const judgement = judge(policy, candidate, CONTEXT)
  return { codes: judgement.state === 'quarantined' ? codes(judgement.reasons) : ['ACCEPTED'], candidate }
}

test('two values that fit alike are both shown and neither is taken', async t => {
  const { codes: found, candidate } = held([...declaration(), 'Named Insured: Orchard Way Clinic'])
  t.ok(found.includes('MULTIPLE_CANDIDATES'))
  t.equal(candidate.fields['named_insured']?.value, null)
  t.same(candidate.fields['named_insured']?.readings, ['Pacific Reflections LLC', 'Orchard Way Clinic'])
})

test('a date that reads two ways is held with both readings', async t => {
  const { codes: found, candidate } = held(
    declaration({ 'Effective Date': '03/04/2024', 'Expiration Date': '04/03/2025' })
  )
  t.ok(found.includes('AMBIGUOUS_DATE'))
  t.same(candidate.fields['effective_date']?.readings, ['2024-03-04', '2024-04-03'])
})

test('what the document shows about its dates decides their order', async t => {
  const dated = declaration({ 'Effective Date': '03/04/2024', 'Expiration Date': '03/04/2025' })
  const day = findFields(policy, lines(...dated, 'Date Issued: 02/25/2024'), CONTEXT)
  t.equal(day.fields['effective_date']?.value, '2024-03-04', 'a day above 12')
  const caption = findFields(policy, lines(...dated, 'DATE (DD/MM/YYYY)'), CONTEXT)
  t.equal(caption.fields['effective_date']?.value, '2024-04-03', 'a caption')
  const words = findFields(policy, lines(...dated, 'Your coverage begins on March 4, 2024.'), CONTEXT)
  t.equal(words.fields['effective_date']?.value, '2024-03-04', 'the same date in words')
  const declared = findFields(policy, lines(...dated), { ...CONTEXT, overrides: { dateOrder: 'dmy' } })
  t.equal(declared.fields['effective_date']?.value, '2024-04-03', 'the source')
})

test('a document that proves both orders proves neither', async t => {
  const { candidate } = held([
    ...declaration({ 'Effective Date': '03/04/2024', 'Expiration Date': '03/04/2025' }),
    'Date Issued: 02/25/2024',
    'Print Date: 25/02/2024'
  ])
  t.equal(candidate.fields['effective_date']?.value, null)
})

test('01/01/2024 to 01/01/2025 reads one way only', async t => {
  const texts = declaration({ 'Effective Date': '01/01/2024', 'Expiration Date': '01/01/2025' })
  t.same(held(texts).codes, ['ACCEPTED'])
})

test('what is missing, blank or blacked out is named, never filled', async t => {
  t.ok(held(declaration({ 'Total Premium': null })).codes.includes('FIELD_MISSING'))
  t.ok(held(declaration({ 'Named Insured': '████████' })).codes.includes('REDACTED'))
  t.ok(held(declaration({ 'Named Insured': '______________' })).codes.includes('UNFILLED_BLANK'))
  t.ok(held(declaration({ 'Policy Number': 'TBD' })).codes.includes('PLACEHOLDER'))
  const blank = held(declaration({ 'Policy Number': '', 'Named Insured': '' }))
  t.equal(blank.candidate.fields['policy_number']?.value, null, 'the next label is not a value')
  t.equal(blank.candidate.fields['named_insured']?.value, null)
})

test('numbers of other things are not the policy number', async t => {
  const others = [
    'Prior Policy Number: HX-611000',
    'Quote Number: 77120',
    'Account Number: 4455661',
    'Agent Code: 00300'
  ]
  for (const other of others) {
    const { candidate } = held([other, ...declaration()])
    t.equal(candidate.fields['policy_number']?.value, 'HX-700131', other)
    const alone = held([other, ...declaration({ 'Policy Number': null })])
    t.equal(alone.candidate.fields['policy_number']?.value, null, `${other}, alone`)
  }
})

test('the day of issue is not the day of effect', async t => {
  const { candidate } = held(['Date Issued: 2024-01-15', ...declaration({ 'Effective Date': null })])
  t.equal(candidate.fields['effective_date']?.value, null)
})

test('documents of other kinds are held', async t => {
  const other = lines('Loss Detail Report', 'Policy Number: HX-700131', 'Date of Loss: 2024-03-01', 'Total: $0.00')
  t.ok(codes(findFields(policy, other, CONTEXT).reasons).includes('DOC_TYPE_UNKNOWN'))
  const invoice = lines('INVOICE', ...declaration())
  t.ok(codes(findFields(policy, invoice, CONTEXT).reasons).includes('DOC_TYPE_UNKNOWN'))
  const roll = lines('Rent Roll', 'Unit', 'Market Rent', 'Lease Start')
  t.ok(codes(findFields(lease, roll, CONTEXT).reasons).includes('DOC_TYPE_UNKNOWN'))
  const services = flow('MASTER SERVICES AGREEMENT', 'This agreement continues until May 31, 2025.')
  t.ok(codes(findFields(lease, services, CONTEXT).reasons).includes('DOC_TYPE_UNKNOWN'))
})

test('two policies in one file are suspected', async t => {
  const first = declaration().map((text, at) => ({ x: 0.1, y: 0.1 + at * 0.02, text }))
  const second = declaration({ 'Policy Number': 'HX-990022', 'Named Insured': 'Quarry Road Dental PC' }).map(
    (text, at) => ({
      x: 0.1,
      y: 0.1 + at * 0.02,
      text
    })
  )
  const { reasons } = findFields(policy, paged(pageOf(first), pageOf(second, 2)), CONTEXT)
  t.ok(codes(reasons).includes('MULTI_DOC_SUSPECTED'))
})

test('pages without text are told apart from text that cannot be read', async t => {
  const picture = paged(pageOf([], 1, { hasUsableText: false, imageShare: 0.9 }))
  t.ok(codes(findFields(policy, picture, CONTEXT).reasons).includes('NO_TEXT_LAYER'))
  const glyphs = paged(pageOf([{ x: 0.1, y: 0.1, text: ')*+,-' }], 1, { hasUsableText: false }))
  t.ok(codes(findFields(policy, glyphs, CONTEXT).reasons).includes('TEXT_LAYER_UNREADABLE'))
  t.ok(codes(findFields(policy, flow(), CONTEXT).reasons).includes('NO_TEXT_LAYER'))
})

test('a page that is a picture is named when something is missing', async t => {
  const texts = declaration({ 'Total Premium': null }).map((text, at) => ({ x: 0.1, y: 0.1 + at * 0.02, text }))
  const document = paged(pageOf(texts), pageOf([], 2, { hasUsableText: false, imageShare: 0.8 }))
  const { reasons } = findFields(policy, document, CONTEXT)
  const page = reasons.find(reason => reason.code === 'PAGE_ILLEGIBLE')
  t.match(page?.message, /pages without text: 2/)
})

test('pending changes hold a document', async t => {
  const document = { ...flow(...declaration()), flags: ['TRACKED_CHANGES'] }
  t.ok(codes(findFields(policy, document, CONTEXT).reasons).includes('TRACKED_CHANGES'))
})

test('no reason holds a value of the document', async t => {
  const { candidate } = held([...declaration(), 'Named Insured: Orchard Way Clinic'])
  const text = JSON.stringify(candidate.reasons)
  for (const value of ['Orchard', 'Pacific', '700131', '1284', '1,284']) t.notOk(text.includes(value), value)
})

test('the same document gives the same answer every time', async t => {
  const document = lines(...declaration(), 'Named Insured: Orchard Way Clinic')
  t.equal(
    JSON.stringify(findFields(policy, document, CONTEXT)),
    JSON.stringify(findFields(policy, structuredClone(document), CONTEXT))
  )
})

test('text that a scanner recognised is not accepted unseen', async t => {
  const placed = declaration().map((text, at) => ({ x: 0.1, y: 0.1 + at * 0.02, text, source: 'ocr' as const }))
  const page = pageOf(placed)
  const scanned = page.lines.map(line => ({ ...line, words: line.words.map(word => ({ ...word, confidence: 0.8 })) }))
  const candidate = findFields(policy, paged({ ...page, lines: scanned }), CONTEXT)
  t.equal(candidate.fields['policy_number']?.value, 'HX-700131')
  t.same(codes(judge(policy, candidate, CONTEXT).reasons), ['LOW_CONFIDENCE'])
})

test('an unsure optional value is left to a person, the rest is taken', async t => {
  const candidate = findFields(
    policy,
    lines(...declaration(), 'Claims are handled by Harbor Insurance Company today.'),
    CONTEXT
  )
  const judgement = judge(policy, candidate, CONTEXT)
  t.equal(judgement.state, 'accepted')
  t.equal(candidate.fields['carrier_name']?.value, null)
  t.same(candidate.fields['carrier_name']?.readings, ['Harbor Insurance Company', null])
  t.ok(judgement.reasons.some(reason => reason.code === 'FIELD_WARNING' && reason.field === 'carrier_name'))
})

test('a document with damaged pages is held, whatever the others say', async t => {
  const whole = lines(...declaration())
  const candidate = findFields(policy, { ...whole, flags: ['PAGE_DAMAGED'] }, CONTEXT)
  t.same(codes(judge(policy, candidate, CONTEXT).reasons), ['FILE_CORRUPT'])
})

test('content that is not read warns and holds nothing', async t => {
  for (const flag of ['XFA_FORM', 'EMBEDDED_FILES', 'PICTURES']) {
    const candidate = findFields(policy, { ...lines(...declaration()), flags: [flag] }, CONTEXT)
    const { state, reasons } = judge(policy, candidate, CONTEXT)
    t.equal(state, 'accepted', flag)
    t.match(
      reasons.map(({ code, severity, message }) => ({ code, severity, message })),
      [{ code: 'CONTENT_OUTSIDE_READ', severity: 'warn', message: flag }]
    )
  }
})

test('a value with a glyph nobody can read is no value', async t => {
  const broken = {
    'Policy Number': ['HX-70\ufffd131', 'HX-700 \ufffd31', 'HX-700131\ufffd'],
    'Named Insured': ['Paci\ufffdc Re\ufffdections LLC', '\ufffdacific LLC'],
    'Effective Date': ['2024-02-0\ufffd', '0\ufffd/13/2024', '02/13/20\ufffd4'],
    'Total Premium': ['$1,2\ufffd4.00', '$12\ufffd4.00', '$1,284.0\ufffd']
  }
  for (const [label, values] of Object.entries(broken)) {
    const field = { 'Total Premium': 'premium_total' }[label] ?? label.toLowerCase().replace(' ', '_')
    for (const value of values) {
      const { codes: found, candidate } = held(declaration({ [label]: value }))
      t.equal(candidate.fields[field]?.value ?? null, null, value)
      t.notOk(found.includes('ACCEPTED'), value)
    }
  }
})

test('the heading of a section about other contracts lowers what stands below it, one field of theirs does not', async t => {
  const number = (text: string): number =>
    findFields(policy, lines(text, ...declaration()), CONTEXT).fields['policy_number']?.confidence ?? 0
  const plain = number('POLICY DECLARATIONS')
  for (const field of ['Prior Policy Number: HX-611000', 'Expiring policy no.', 'Previous carrier: Harbor Mutual']) {
    t.equal(number(field), plain, field)
  }
  t.ok(number('PRIOR CARRIER INFORMATION') < plain)
})
