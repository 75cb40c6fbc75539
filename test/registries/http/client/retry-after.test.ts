import t from 'tap'
import { readRetryAfter, readRetrySentence } from '../../../../src/registries/http/client/retry-after.ts'

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0)

t.test('Retry-After is read as seconds and as a date, and capped', async t => {
  const rows: readonly (readonly [string | undefined, number | undefined])[] = [
    ['0', 0],
    ['30', 30_000],
    [' 7 ', 7000],
    ['86400', 600_000],
    ['999999999999999999999999', 600_000],
    ['Mon, 30 Nov 2026 12:00:45 GMT', 45_000],
    ['Monday, 30-Nov-26 12:00:45 GMT', 45_000],
    ['Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['Wed, 30 Dec 2026 12:00:00 GMT', 600_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026', 600_000],
    ['', undefined],
    [undefined, undefined]
  ]
  for (const [header, expected] of rows) t.equal(readRetryAfter(header, NOW), expected, `${header}`)
})

t.test('and from what overloaded servers say', async t => {
  t.equal(readRetrySentence('Request limit reached. Please try again in 60 sec.'), 60_000)
  t.equal(readRetrySentence('try again in 5 seconds'), 5000)
  t.equal(readRetrySentence('try again later'), undefined)
})
