import { test } from 'tap'
import type { DocumentText } from '../../../../src/model/document-text.ts'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import { CONTEXT, flow } from '../documents.ts'

/** Text that patterns with overlapping parts would take for ever over. */
const HOSTILE: Readonly<Record<string, string>> = {
  names: 'John Smith',
  digits: '1'.repeat(60),
  amounts: '$1,111.11 1/1/11 1,1,1,1,1,1 ',
  labels: 'Policy Number Named Insured Total Premium Tenant Rent ',
  parties: 'by and between A and B ("Tenant") between (("“"',
  blanks: '________ ____ __ _ ',
  words: 'the term of this lease commencing on the premises located at ',
  spaces: 'a          b\t\t\tc',
  zips: 'NY 10801 '
}

/** A document of `n` paragraphs of the same text. */
const long = (text: string, n: number): DocumentText =>
  flow(...Array.from({ length: n }, () => (text === HOSTILE['names'] ? text : text.repeat(4))))

const elapsed = (document: DocumentText, profile: typeof policy): number => {
  const before = process.cpuUsage()
  findFields(profile, document, CONTEXT)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A busy machine slows single runs down; what grows with the square of the text does so in every one. */
const ROUNDS = 6

/** The least time of each size over as many rounds as it takes to show growth in proportion, or all of them. */
function measured(text: string, profile: typeof policy): { small: number; large: number; isLinear: boolean } {
  let [small, large] = [Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    small = Math.min(small, elapsed(long(text, 500), profile))
    large = Math.min(large, elapsed(long(text, 2000), profile))
    // Four times the text; square growth would be sixteen times the time or more.
    if (large < Math.max(small, 15) * 12) return { small, large, isLinear: true }
  }
  return { small, large, isLinear: false }
}

for (const [name, text] of Object.entries(HOSTILE)) {
  test(`finding takes time in proportion to the text: ${name}`, async t => {
    for (const profile of [policy, lease]) {
      elapsed(long(text, 200), profile)
      const { small, large, isLinear } = measured(text, profile)
      t.ok(isLinear, `${profile.name}: ${Math.round(small)} ms, then ${Math.round(large)} ms`)
    }
  })
}
