import tap from 'tap'
import { recordOf } from '../../src/profiles/shaped-record.ts'
import { Random, testSeed } from '../normalize/properties/random.ts'

const seed = testSeed()
tap.comment(`seed ${seed}`)

const NAMES = Array.from({ length: 40 }, (_, at) => `field_${at}`)

tap.test('a record of few or many members is a plain object of them, in order', async t => {
  const random = new Random(seed)
  for (let round = 0; round < 2000; round += 1) {
    const least = random.below(100)
    const names = NAMES.filter(() => random.below(100) >= least)
    const values = names.map(name => ({ name, round }))
    const record = recordOf(names, values)
    const isSame = Object.entries(record).every(([name, value], at) => name === names[at] && value === values[at])
    if (!isSame || Object.keys(record).length !== names.length) t.fail(`round ${round}: ${names.join(' ')}`)
    if (Object.getPrototypeOf(record) !== Object.prototype) t.fail('not a plain object')
  }
  t.pass('2,000 records')
})

tap.test('records of one shape share nothing', async t => {
  const first = recordOf(
    NAMES,
    NAMES.map(() => 1)
  )
  const second = recordOf(
    NAMES,
    NAMES.map(() => 2)
  )
  first['added'] = 3
  t.notOk('added' in second)
  t.equal(first['field_7'], 1)
  t.equal(second['field_7'], 2)
  t.notOk('added' in recordOf(NAMES, []))
})

tap.test('more shapes than are remembered are no fault', async t => {
  for (let round = 0; round < 300; round += 1) {
    const names = NAMES.map(name => `${name}_${round}`)
    const record = recordOf(
      names,
      names.map((_, at) => at)
    )
    if (record[`field_39_${round}`] !== 39) t.fail(`round ${round}`)
  }
  t.pass('300 shapes of 40 members')
})
