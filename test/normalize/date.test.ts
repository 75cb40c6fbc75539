import tap from 'tap'
import { dateEvidence, readDate } from '../../src/normalize/date.ts'
import { readPeriod } from '../../src/normalize/dates/period.ts'
import { policyTerm, readTerm } from '../../src/normalize/dates/term.ts'
import { readTimeOfDay } from '../../src/normalize/dates/time-of-day.ts'
import { NEUTRAL, OCR, summary, US } from './summary.ts'

const DMY = { ...NEUTRAL, dateOrder: 'dmy' } as const

tap.test('dates are kept, never rolled over and never shifted', async t => {
  const rows: [string, string][] = [
    ['1958-05-27', '1958-05-27'],
    ['1883-11-18', '1883-11-18'],
    ['2018-11-04', '2018-11-04'],
    ['2011-12-30', '2011-12-30'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', 'null INVALID_DATE'],
    ['2024-02-30', 'null INVALID_DATE'],
    ['2024-04-31', 'null INVALID_DATE'],
    ['2024-13-01', 'null INVALID_DATE'],
    ['2024-00-10', 'null INVALID_DATE'],
    ['2024-05-02T23:30:00-08:00', '2024-05-02'],
    ['2024-05-02 00:30:00+14:00', '2024-05-02'],
    ['2024-05-02T25:00:00', 'null INVALID_DATE'],
    ['2024-05-02T12:60:00', 'null INVALID_DATE'],
    ['20240502235959', '2024-05-02'],
    ['20240502999999', 'null INVALID_DATE'],
    ['20240230', 'null INVALID_DATE'],
    ['9999-12-31', 'null SENTINEL_DATE'],
    ['0000-00-00', 'null SENTINEL_DATE'],
    ['0024-05-02', 'null INVALID_DATE'],
    ['0.40625', 'null INVALID_DATE'],
    ['45337', 'null INVALID_DATE'],
    ['1714608000000', 'null INVALID_DATE'],
    ['1/2/3', 'null INVALID_DATE'],
    ['1/2/203', 'null INVALID_DATE'],
    ['1-2/2024', 'null INVALID_DATE'],
    ['2024-05-02 2024-05-03', 'null INVALID_DATE'],
    ['Tuesday, July 1, 2025', '2025-07-01'],
    ['Monday, July 1, 2025', 'null INVALID_DATE WEEKDAY_MISMATCH'],
    ['the twenty-first day of March, 2021', '2021-03-21'],
    ['Sept. 5, 2021', '2021-09-05'],
    ['May 1, 2023 at 12:01 A.M.', '2023-05-01'],
    ['2025-Jul-01', '2025-07-01'],
    ['June 2017', 'null DATE_PARTIAL {2017-06}'],
    ['06/2017', 'null DATE_PARTIAL {2017-06}'],
    ['2017', 'null DATE_PARTIAL {2017}'],
    ['January 32, 2024', 'null INVALID_DATE'],
    ['January 1 or 2, 2024', 'null INVALID_DATE'],
    ['January __, 2023', 'null UNFILLED_BLANK'],
    ['XX/XX/2024', 'null REDACTED'],
    ['two weeks after the closing', 'null INVALID_DATE'],
    ['thirty days after delivery of possession', 'null CONTINGENT_DATE'],
    ['\u0000', 'null INVALID_DATE'],
    ['', 'null']
  ]
  for (const [raw, is] of rows) t.equal(summary(readDate(raw, NEUTRAL)), is, JSON.stringify(raw))
})

tap.test('the order of a date comes from its context or from itself, never from a guess', async t => {
  t.equal(summary(readDate('04/04/2024', NEUTRAL)), '2024-04-04')
  t.equal(summary(readDate('05/11/2023', NEUTRAL)), 'null AMBIGUOUS_DATE {2023-05-11|2023-11-05}')
  t.equal(summary(readDate('05/11/2023', DMY)), '2023-11-05')
  t.equal(summary(readDate('05/11/2023', US)), '2023-05-11')
  t.equal(summary(readDate('17/11/2023', NEUTRAL)), '2023-11-17')
  t.equal(summary(readDate('31/02/2024', US)), 'null INVALID_DATE')
  t.equal(summary(readDate('24-05-02', { ...NEUTRAL, dateOrder: 'ymd' })), '2024-05-02 TWO_DIGIT_YEAR')
  t.equal(
    summary(readDate('07-01-25', NEUTRAL)),
    'null AMBIGUOUS_DATE TWO_DIGIT_YEAR {2007-01-25|2025-01-07|2025-07-01}'
  )
  t.equal(summary(readDate('01022024', NEUTRAL)), 'null AMBIGUOUS_DATE {2024-01-02|2024-02-01}')
  t.equal(summary(readDate('12311999', NEUTRAL)), '1999-12-31')
})

tap.test('two-digit years turn at the pivot of the field', async t => {
  t.equal(readDate('1/1/31', US).value, '2031-01-01')
  t.equal(readDate('1/1/32', US).value, '1932-01-01')
  t.equal(readDate('1/1/99', { ...US, yearPivot: 'future' }).value, '2099-01-01')
  t.equal(readDate('1/1/32', { ...US, today: '2027-01-01' }).value, '2032-01-01')
})

tap.test('one cell proves an order only by a day above twelve or a year in front', async t => {
  const rows: [string, string | null][] = [
    ['13/04/2024', 'dmy'],
    ['04/13/2024', 'mdy'],
    ['4/21/2006 12:00:00 AM', 'mdy'],
    ['12/12/2024', null],
    ['2024-01-01', 'ymd'],
    ['04/13/24', 'mdy'],
    ['24-05-13', null],
    ['32/01/2024', null],
    ['13/13/2024', null],
    ['July 1, 2025', null],
    ['', null]
  ]
  for (const [raw, is] of rows) t.equal(dateEvidence(raw), is, raw)
})

tap.test('look-alikes are repaired in recognised text only, and only a few of them', async t => {
  t.equal(summary(readDate('July 27", 2025', OCR)), '2025-07-27 OCR_REPAIR')
  t.equal(summary(readDate('July 27", 2025', US)), 'null INVALID_DATE')
  t.equal(summary(readDate('OI/O1/2O25', OCR)), 'null INVALID_DATE')
  t.equal(summary(readDate('02/3O/2024', OCR)), 'null INVALID_DATE')
})

tap.test('periods and terms', async t => {
  t.equal(readPeriod('01/02/2025 to 01/02/2026', NEUTRAL).start.status, 'ambiguous')
  for (const raw of [
    '01/15/2025-01/15/2026',
    'From: 1/15/2025 To: 1/15/2026',
    'Effective 01/15/2025 Expires 01/15/2026',
    '01/15/2025 12:01 AM to 01/15/2026 12:01 AM',
    '01/15/2025 to 01/15/2026 at 12:01 A.M. Standard Time at your mailing address'
  ]) {
    const { start, end, flags } = readPeriod(raw, US)
    t.same([start.value, end.value, flags], ['2025-01-15', '2026-01-15', []], raw)
  }
  t.equal(readPeriod('01/15/2025 to 01/15/2026 noon, at your mailing address', US).time, '12:00')
  t.equal(readPeriod('sometime', US).start.status, 'invalid')
  t.equal(readPeriod('Policy Period: From 01/15/2025 to 01/15/2026', US).end.value, '2026-01-15')
  t.equal(summary(readTerm('5 years')), '60')
  t.equal(summary(readTerm('60-month term')), '60')
  t.equal(summary(readTerm('a term')), 'null FIELD_INVALID')
  t.equal(summary(readTerm('9999 years')), 'null OUT_OF_RANGE')
  t.same(policyTerm('2025-01-01', '2025-03-01').flags, ['TERM_UNUSUAL'])
  t.same(policyTerm('2025-01-01', '2024-01-01').flags, ['DATE_ORDER'])
  t.equal(readTimeOfDay('12:01 A.M.'), '00:01')
  t.equal(readTimeOfDay('11:59 p.m.'), '23:59')
  t.equal(readTimeOfDay('13:00 pm'), null)
})

tap.test('ten digits that are a day with its hour as well as seconds are not decided', async t => {
  const json = { ...NEUTRAL, source: 'json' } as const
  t.strictSame(readDate('2024031510', json), {
    value: null,
    status: 'ambiguous',
    flags: ['AMBIGUOUS_DATE'],
    readings: ['2024-03-15', '2034-02-20']
  })
  for (const raw of ['2024033510', '2024131510', '2024031524']) t.match(readDate(raw, json).flags, ['EPOCH_S'], raw)
  t.equal(readDate('1706918400', json).value, '2024-02-03')
})

tap.test('days as programs write them out, with hyphens that a word processor sets', async t => {
  const rows: [string, string][] = [
    ['Sun Nov 05 2023 00:00:00 GMT-0800 (Pacific Standard Time)', '2023-11-05'],
    ['Sun Nov 05 2023 23:30:00 GMT+0100 (CET)', '2023-11-05'],
    ['Mon Nov 05 2023 00:00:00 GMT-0800 (Pacific Standard Time)', 'null INVALID_DATE WEEKDAY_MISMATCH'],
    ['2011-12-03T10:15:30+01:00[Europe/Paris]', '2011-12-03'],
    ['2023-11-05T08:00:00 UTC+1', 'null INVALID_DATE'],
    ['2024-02-06Z', '2024-02-06'],
    ['2024-02-06-08:00', '2024-02-06'],
    ['2024-02-06+14:00', '2024-02-06'],
    ['2024-02-30Z', 'null INVALID_DATE'],
    ['2024-02-06-25:00', 'null INVALID_DATE'],
    ['2024–02–06', '2024-02-06'],
    ['2024‑02‑06', '2024-02-06'],
    ['2024−02−06', '2024-02-06'],
    ['6‑Feb‑2024', '2024-02-06'],
    ['2024-02-06 – 2024-03-06', 'null INVALID_DATE'],
    ['2024-02-06–2024-03-06', 'null INVALID_DATE'],
    ['03–04–2024', 'null AMBIGUOUS_DATE {2024-03-04|2024-04-03}']
  ]
  for (const [raw, is] of rows) t.equal(summary(readDate(raw, NEUTRAL)), is, raw)
})
