// Prints tap's own total of a log as "N passed, N failed"; fails when the log holds none.
import { readFileSync } from 'node:fs'

const log = readFileSync(process.argv[2], 'utf8')
const totals = [...log.matchAll(/^# \{ total: \d+.*\}$/gm)].at(-1)?.[0]
if (totals === undefined) {
  console.log('0 passed, 1 failed')
  console.error('no total of tests was found: they did not run to their end')
  process.exit(1)
}
const numberOf = word => Number(totals.match(new RegExp(`\\b${word}: (\\d+)`))?.[1] ?? 0)
const failed = numberOf('fail') + numberOf('skip') + numberOf('todo')
console.log(`${numberOf('pass')} passed, ${failed} failed`)
