import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import type { DocumentText } from '../../../../src/model/document-text.ts'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../../src/profiles/judge/judge.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import { DOCX, PDF, testExtractor } from '../../../extract/extractor-fixture.ts'
import { CONTEXT } from '../documents.ts'

const SAMPLES = fileURLToPath(new URL('../../../../samples/', import.meta.url))
const CASES = fileURLToPath(new URL('../../../fixtures/cases/', import.meta.url))
const PROFILES = { policy, lease } as const
type ProfileName = keyof typeof PROFILES

interface Expected {
  readonly file?: string
  readonly state?: string
  readonly state_any?: readonly string[]
  readonly code?: string
  readonly may_be_held?: boolean
  readonly fields?: Readonly<Record<string, string>>
}

const isDocument = (name: string | undefined): name is ProfileName => name === 'policy' || name === 'lease'
const mediaTypeOf = (file: string): string => (extname(file).toLowerCase() === '.docx' ? DOCX : PDF)

function judged(profile: ProfileName, document: DocumentText) {
  const candidate = findFields(PROFILES[profile], document, CONTEXT)
  return { ...judge(PROFILES[profile], candidate, CONTEXT), fields: candidate.fields }
}

/** The PDF inside a multipart body. */
function pdfIn(body: Buffer): Buffer {
  const start = body.indexOf('%PDF-')
  return body.subarray(start, body.indexOf('%%EOF', start) + 5)
}

test('every sample document ends as its manifest says', async t => {
  const extractor = testExtractor(t)
  const manifest = JSON.parse(readFileSync(join(SAMPLES, 'manifest.json'), 'utf8')) as {
    batches: { profile: string; records: Expected[] }[]
  }
  let seen = 0
  for (const { profile, records } of manifest.batches) {
    if (!isDocument(profile)) continue
    for (const { file = '', state, code, may_be_held: mayBeHeld, fields } of records) {
      seen += 1
      const outcome = await extractor.extract(join(SAMPLES, file), mediaTypeOf(file))
      if (!outcome.ok) {
        t.equal(outcome.reason, code, file)
        continue
      }
      const found = judged(profile, outcome.document)
      const codes = found.reasons.map<string>(reason => reason.code)
      if (!mayBeHeld || found.state === 'accepted') t.equal(found.state, state, `${file}: ${codes.join()}`)
      if (code !== undefined) t.ok(codes.includes(code), `${file}: ${codes.join()}`)
      for (const [name, value] of Object.entries(fields ?? {})) t.equal(found.fields[name]?.value, value, file)
    }
  }
  t.ok(seen >= 20, `${seen} documents`)
})

test('every document of the collected cases is read without a fault, and never accepted with a wrong value', async t => {
  const extractor = testExtractor(t)
  const folder = mkdtempSync(join(tmpdir(), 'docket-test-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  let seen = 0
  for (const name of readdirSync(CASES).filter(entry => !entry.startsWith('.'))) {
    const { profile, expect } = JSON.parse(readFileSync(join(CASES, name, 'case.json'), 'utf8')) as {
      profile?: string
      expect: { records?: Expected[] }
    }
    if (!isDocument(profile)) continue
    for (const { file = 'body.bin', state_any: states = [], fields } of expect.records ?? []) {
      seen += 1
      let path = join(CASES, name, file)
      if (file === 'body.bin') {
        path = join(folder, 'part.pdf')
        writeFileSync(path, pdfIn(readFileSync(join(CASES, name, file))))
      }
      const outcome = await extractor.extract(path, mediaTypeOf(path))
      if (!outcome.ok) {
        t.ok(states.includes('quarantined'), `${name}: ${outcome.reason}`)
        continue
      }
      const found = judged(profile, outcome.document)
      t.ok(states.includes(found.state), `${name}: ${found.state} ${found.reasons.map(reason => reason.code).join()}`)
      if (found.state !== 'accepted') continue
      for (const [field, value] of Object.entries(fields ?? {})) t.equal(found.fields[field]?.value, value, name)
    }
  }
  t.ok(seen >= 20, `${seen} documents`)
})
