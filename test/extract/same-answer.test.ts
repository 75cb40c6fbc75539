import { readdirSync } from 'node:fs'
import t from 'tap'
import { createExtractor } from '../../src/extract/extractor.ts'
import { findFields } from '../../src/profiles/find/find-fields.ts'
import { policy } from '../../src/profiles/policy/policy.ts'
import { DOCX, fixture, PDF } from './extractor-fixture.ts'

const CONTEXT = { today: '2026-01-15', jurisdiction: '53033' }

/** Files of every kind with the media type they are read as. */
const FILES = ['pdf', 'docx'].flatMap(kind =>
  readdirSync(fixture(kind)).map(name => ({ path: fixture(`${kind}/${name}`), type: kind === 'pdf' ? PDF : DOCX }))
)

/** What all files say, read by so many processes at once, in an order of their own; with the fields found in each. */
async function answers(slots: number, order: readonly number[], tempDir: string): Promise<string[]> {
  const extractor = createExtractor({ memoryMb: 512, seconds: 60, pages: 2000, slots, tempDir })
  try {
    const found = await Promise.all(
      order.map(async at => {
        const file = FILES[at]
        if (!file) throw new Error('There is no such file.')
        const outcome = await extractor.extract(file.path, file.type)
        const fields = outcome.ok ? findFields(policy, outcome.document, CONTEXT) : null
        return [at, JSON.stringify({ outcome, fields })] as const
      })
    )
    return found.toSorted(([a], [b]) => a - b).map(([, text]) => text)
  } finally {
    await extractor.close()
  }
}

t.test('the same bytes give the same answer, whatever the number of processes and the order of the files', async t => {
  const forward = FILES.map((_, at) => at)
  const one = await answers(1, forward, t.testdir())
  t.ok(one.length >= 15 && one.some(text => text.includes('"ok":true')), 'there is something to compare')
  const three = await answers(3, [...forward.toReversed(), ...forward], t.testdir())
  t.strictSame(
    three,
    [...one, ...one].toSorted((a, b) => one.indexOf(a) - one.indexOf(b))
  )
})
