import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { check } from '../../src/cli/registry/fees/findings.ts'
import { REASONS } from '../../src/model/reasons.ts'
import { readRules } from '../../src/profiles/jurisdiction-rules/read-rules.ts'
import { loadProfiles } from '../../src/profiles/load-profiles.ts'
import { readScheduleFile } from '../../src/registries/fees/read-schedule.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/rules.md'), 'utf8')
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as unknown)

test('the examples of docs/rules.md are sound as they stand', async t => {
  const [rules, fees] = examples
  t.equal(examples.length, 2)
  t.equal(readRules(rules, await loadProfiles()).rules.length, 1)
  const { schedules } = readScheduleFile(fees)
  t.same(check(schedules), { findings: [], open: [] })
  t.throws(() => readScheduleFile(rules), { code: 'FEE_SCHEDULE_INVALID' })
})

test('every code that docs/rules.md names is a reason or a flag', async t => {
  const flags = ['SUFFIX_DEFAULTED', 'ZERO_PADDED']
  const codes = [...page.matchAll(/`([A-Z]{3,}(?:_[A-Z]+)+)`/g)].map(([, code = '']) => code)
  t.ok(codes.length > 8)
  t.same(
    codes.filter(code => !Object.hasOwn(REASONS, code) && !flags.includes(code)),
    []
  )
})
