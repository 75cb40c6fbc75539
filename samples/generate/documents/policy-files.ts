import { dollars } from '../amounts.ts'
import type { SampleBatch, SampleFile } from '../manifest.ts'
import { batchOf } from '../manifest.ts'
import { type DocumentFate, documentFile } from './document-file.ts'
import type { Sheet } from './pdf.ts'
import { pdfOf } from './pdf.ts'
import { illegibleScan } from './picture.ts'
import type { Policy } from './policy.ts'
import { AUTO, BUSINESS_OWNERS, fieldsOf, HOMEOWNERS, PACKAGE, totalOf } from './policy.ts'
import { coverLetter, labelsAbove, labelsAtLeft, premiumFirst, premiumTable, unfilled } from './policy-layouts.ts'

interface Paper {
  readonly path: string
  readonly draw: (sheet: Sheet) => void
  readonly fate: DocumentFate
  readonly password?: string
}

const good = (path: string, policy: Policy, draw: Paper['draw']): Paper => ({
  path,
  draw,
  fate: { state: 'accepted', fields: fieldsOf(policy) }
})

const GOOD: readonly Paper[] = [
  good('policies/homeowners-labels-at-left.pdf', HOMEOWNERS, labelsAtLeft(HOMEOWNERS, dollars(totalOf(HOMEOWNERS)))),
  good('policies/businessowners-labels-above.pdf', BUSINESS_OWNERS, labelsAbove(BUSINESS_OWNERS)),
  good('policies/package-premium-table.pdf', PACKAGE, premiumTable(PACKAGE, dollars(totalOf(PACKAGE)))),
  {
    path: 'policies/auto-unusual-order.pdf',
    draw: premiumFirst(AUTO),
    fate: { state: 'accepted', may_be_held: true, fields: fieldsOf(AUTO) }
  }
]

/** The same carriers, other policies: a fault must be held for itself, never as a copy of a good one. */
const LATER: Policy = { ...HOMEOWNERS, number: 'HL-HO3-204990', insured: 'Tamsin Oakhollow' }
const WRONG_SUM: Policy = { ...PACKAGE, number: 'CWP-0083420-01', insured: 'Marrow Creek Kennels LLC' }
const LOCKED: Policy = { ...HOMEOWNERS, number: 'HL-HO3-205113', insured: 'Renzo Pellworth' }

const FAULTY: readonly Paper[] = [
  {
    path: 'policies/homeowners-no-premium.pdf',
    draw: labelsAtLeft({ ...LATER, parts: [] }, ''),
    fate: { state: 'quarantined', code: 'FIELD_MISSING' }
  },
  {
    path: 'policies/package-wrong-sum.pdf',
    draw: premiumTable(WRONG_SUM, dollars(totalOf(WRONG_SUM) + 90_000)),
    fate: { state: 'quarantined', code: 'PREMIUM_SUM_MISMATCH' }
  },
  { path: 'policies/homeowners-blank-form.pdf', draw: unfilled(HOMEOWNERS), fate: { state: 'quarantined' } },
  {
    path: 'policies/homeowners-password.pdf',
    draw: labelsAtLeft(LOCKED, dollars(totalOf(LOCKED))),
    password: 'sesame',
    fate: { state: 'quarantined', code: 'FILE_ENCRYPTED' }
  },
  {
    path: 'policies/illegible-scan.pdf',
    draw: sheet => {
      sheet.picture(illegibleScan())
    },
    fate: { state: 'quarantined' }
  },
  {
    path: 'policies/cover-letter.pdf',
    draw: coverLetter(AUTO),
    fate: { state: 'quarantined', code: 'DOC_TYPE_UNKNOWN' }
  }
]

async function filesOf(papers: readonly Paper[]): Promise<SampleFile[]> {
  return Promise.all(
    papers.map(async ({ path, draw, fate, password }) => {
      const content = await pdfOf({ title: 'Declarations', ...(password && { password }) }, draw)
      return documentFile(path, content, fate)
    })
  )
}

/** The declarations of one state's insurers: those to be accepted, and those somebody must look at. */
export async function policyBatches(): Promise<{ batch: SampleBatch; files: readonly SampleFile[] }[]> {
  const head = { profile: 'policy', jurisdiction: '53' } as const
  const [clean, faulty] = await Promise.all([filesOf(GOOD), filesOf(FAULTY)])
  return [
    { files: clean, batch: batchOf({ ...head, name: 'policies', about: 'four layouts of declarations' }, clean) },
    { files: faulty, batch: batchOf({ ...head, name: 'policies-faulty', about: 'declarations to be held' }, faulty) }
  ]
}
