import tap from 'tap'
import {
  addDays,
  addMonths,
  dayNumber,
  daysBetween,
  formatIso,
  fromDayNumber,
  isRealDate,
  parseIso
} from '../../../src/model/calendar.ts'
import { dateEvidence, readDate } from '../../../src/normalize/date.ts'
import { leaseEnd, leaseTermFlags } from '../../../src/normalize/dates/term.ts'
import { NEUTRAL, US } from '../summary.ts'
import { Random, testSeed } from './random.ts'

const seed = testSeed()
tap.comment(`seed ${seed}`)

/** 1000-01-01 to 9998-12-31. */
const FIRST_DAY = dayNumber({ year: 1000, month: 1, day: 1 })
const LAST_DAY = dayNumber({ year: 9998, month: 12, day: 31 })
const SENTINELS = ['1900-01-01', '1899-12-30']
const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ')

function randomDates(count: number): string[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () =>
    formatIso(fromDayNumber(FIRST_DAY + random.below(LAST_DAY - FIRST_DAY + 1)))
  ).filter(iso => !SENTINELS.includes(iso))
}

tap.test('day numbers and civil dates are inverse and agree with the runtime', async t => {
  for (
    let day = dayNumber({ year: 1896, month: 1, day: 1 });
    day < dayNumber({ year: 2105, month: 1, day: 1 });
    day += 1
  ) {
    const date = fromDayNumber(day)
    if (dayNumber(date) !== day || formatIso(date) !== new Date(day * 86_400_000).toISOString().slice(0, 10)) {
      t.fail(`day ${day} is not ${formatIso(date)}`)
    }
  }
  t.pass('every day of 209 years')
})

tap.test('every way to write a date is read as that date', async t => {
  for (const iso of randomDates(3000)) {
    const { year, month, day } = parseIso(iso)
    const [mm, dd] = [iso.slice(5, 7), iso.slice(8)]
    const name = MONTH_NAMES[month - 1] ?? ''
    const written = [
      iso,
      `${iso}T23:59:59.999Z`,
      `${year}/${month}/${day}`,
      `${name} ${day}, ${year}`,
      `the ${day}th day of ${name}, ${year}`,
      `${day}-${name.slice(0, 3).toUpperCase()}-${year}`
    ]
    for (const raw of written) if (readDate(raw, NEUTRAL).value !== iso) t.fail(`${raw} is not read as ${iso}`)
    if (readDate(`${mm}/${dd}/${year}`, US).value !== iso) t.fail(`month first ${iso}`)
    if (readDate(`${dd}.${mm}.${year}`, { ...NEUTRAL, dateOrder: 'dmy' }).value !== iso) t.fail(`day first ${iso}`)
  }
  t.pass(`seed ${seed}`)
})

tap.test('without a declared order a numeric date is right or ambiguous, and evidence is true', async t => {
  for (const iso of randomDates(3000)) {
    const { year, month, day } = parseIso(iso)
    const raw = `${month}/${day}/${year}`
    const reading = readDate(raw, NEUTRAL)
    if (reading.status === 'ambiguous') {
      if (!reading.readings?.includes(iso) || (reading.readings?.length ?? 0) < 2) t.fail(`${raw} loses a reading`)
    } else if (reading.value !== iso) t.fail(`${raw} is read wrongly`)
    const evidence = dateEvidence(raw)
    if (evidence !== null && evidence !== 'mdy') t.fail(`${raw} proves ${evidence}`)
    if ((evidence === null) !== day <= 12) t.fail(`${raw}: evidence ${evidence}`)
  }
  t.pass(`seed ${seed}`)
})

tap.test('a day that does not exist is never found', async t => {
  for (let year = 1899; year <= 2101; year += 1) {
    for (const [month, day] of [
      [2, 29],
      [2, 30],
      [2, 31],
      [4, 31],
      [6, 31],
      [9, 31],
      [11, 31],
      [13, 1],
      [0, 10],
      [1, 32],
      [5, 0]
    ] as const) {
      const isReal = isRealDate({ year, month, day })
      const iso = formatIso({ year, month, day })
      if ((readDate(iso, NEUTRAL).value === iso) !== isReal) t.fail(iso)
      if (!isReal && readDate(`${iso}T00:00:00`, NEUTRAL).value !== null) t.fail(`${iso} with a time`)
    }
  }
  t.pass('203 years')
})

tap.test('reading a reading changes nothing', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 3000; run += 1) {
    const raw = random.text('0123456789//--.. TJanuaryMay,O', 14)
    const { value } = readDate(raw, US)
    if (value !== null && readDate(value, US).value !== value) t.fail(JSON.stringify(raw))
  }
  t.pass(`seed ${seed}`)
})

tap.test('months are added by the calendar', async t => {
  t.equal(leaseEnd('2023-01-01', 60), '2027-12-31')
  t.equal(leaseEnd('2023-03-15', 60), '2028-03-14')
  t.equal(leaseEnd('2023-03-15', 60, true), '2028-03-31')
  t.equal(leaseEnd('2020-02-29', 12), '2021-02-27')
  t.equal(leaseEnd('2023-02-01', 61), '2028-02-29')
  t.equal(addMonths('2024-01-31', 1), '2024-02-29')
  t.equal(addMonths('2024-03-31', -1), '2024-02-29')
  t.equal(addDays('1999-12-31', 1), '2000-01-01')
  t.equal(daysBetween('2024-02-29', '2025-02-28'), 365)
  t.same(leaseTermFlags('2023-01-01', '2027-12-31', 60), [])
  t.same(leaseTermFlags('2023-01-01', '2027-12-30', 60), ['TERM_MISMATCH'])
})
