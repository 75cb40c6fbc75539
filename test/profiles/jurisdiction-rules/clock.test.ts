import t from 'tap'
import { dayNumber, parseIso } from '../../../src/model/calendar.ts'
import { dayIn, dueDay } from '../../../src/profiles/jurisdiction-rules/clock.ts'
import { isBusinessDay } from '../../../src/profiles/jurisdiction-rules/holidays.ts'

const NONE = { calendars: [], days: [] }
const FEDERAL = { calendars: ['us-federal'] as const, days: [] }

/** All weekdays of a year that are no business days. */
function closedWeekdays(year: number): string[] {
  const days: string[] = []
  for (let time = Date.UTC(year, 0, 1); time < Date.UTC(year + 1, 0, 1); time += 86_400_000) {
    const day = new Date(time)
    const isWeekday = day.getUTCDay() !== 0 && day.getUTCDay() !== 6
    const iso = day.toISOString().slice(0, 10)
    if (isWeekday && !isBusinessDay(dayNumber(parseIso(iso)), FEDERAL)) days.push(iso.slice(5))
  }
  return days
}

t.test('federal holidays as the Office of Personnel Management lists them', async t => {
  t.same(closedWeekdays(2020), '01-01 01-20 02-17 05-25 07-03 09-07 10-12 11-11 11-26 12-25'.split(' '))
  // Juneteenth, Christmas and the New Year after it fell on Saturdays.
  t.same(closedWeekdays(2021), '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'.split(' '))
  t.same(closedWeekdays(2022), '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'.split(' '))
  t.same(closedWeekdays(2026), '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'.split(' '))
})

t.test('the day a clock starts on is not counted', async t => {
  const calendar = (start: string, days: number) => dueDay(start, { days, count: 'calendar', roll: 'none' }, NONE)
  t.equal(calendar('2026-11-30', 28), '2026-12-28')
  t.equal(calendar('2024-02-01', 28), '2024-02-29')
  t.equal(calendar('2023-12-31', 120), '2024-04-29')
  const business = (start: string, days: number, holidays = NONE) =>
    dueDay(start, { days, count: 'business', roll: 'none' }, holidays)
  t.equal(business('2026-11-25', 3), '2026-11-30', 'a Wednesday')
  t.equal(business('2026-11-25', 3, { calendars: ['us-federal'], days: [] } as never), '2026-12-01', 'Thanksgiving')
  t.equal(
    business('2026-11-25', 3, { calendars: ['us-federal'], days: ['2026-11-27'] } as never),
    '2026-12-02',
    'and the day after it'
  )
  t.equal(business('2026-11-28', 1), '2026-11-30', 'from a Saturday')
})

t.test('a last day on which offices are closed rolls on where that is the law', async t => {
  const roll = (start: string, days: number) =>
    dueDay(start, { days, count: 'calendar', roll: 'next_business_day' }, FEDERAL)
  t.equal(roll('2026-11-27', 28), '2026-12-28', 'Christmas on a Friday, then a weekend')
  t.equal(roll('2026-11-30', 28), '2026-12-28', 'a Monday stays')
})

t.test('a calendar that is closed for ever ends', async t => {
  const days = Array.from({ length: 2000 }, (_, at) =>
    new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString().slice(0, 10)
  )
  t.match(dueDay('2026-01-01', { days: 1, count: 'business', roll: 'none' }, { calendars: [], days }), /^\d{4}-/)
})

t.test('the day of an instant is that of the office', async t => {
  t.equal(dayIn('2026-12-01T03:30:00.000000Z', 'UTC'), '2026-12-01')
  t.equal(dayIn('2026-12-01T03:30:00.000000Z', 'America/Los_Angeles'), '2026-11-30')
  t.equal(dayIn('2026-12-01T08:30:00.000000Z', 'America/Los_Angeles'), '2026-12-01')
})
