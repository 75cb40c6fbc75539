import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import t from 'tap'
import { createPool } from '../../src/db/pool.ts'
import { isInfrastructureFault, toDatabaseError } from '../../src/db/sqlstate.ts'
import { AppError } from '../../src/errors.ts'
import { testDatabase } from '../helpers/database.ts'

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error
  )

const systemError = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall })

t.test(
  'a process that has no descriptor left for a connection has no database, and that is no fault of the statement',
  t => {
    for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL']) {
      t.equal(toDatabaseError(systemError(code, 'connect')).code, 'DATABASE_UNAVAILABLE', code)
    }
    t.equal(toDatabaseError(systemError('EACCES', 'open')).code, 'INTERNAL')
    t.end()
  }
)

t.test('faults of our own infrastructure are known as such however they come', async t => {
  const { pool } = await testDatabase(t)
  const nobody = createPool({ url: 'postgres://127.0.0.1:1/x', max: 1, applicationName: 'x', onError: () => undefined })
  t.teardown(() => nobody.end())
  const faults: Record<string, unknown> = {
    'a pool that cannot connect': await thrown(nobody.query('select 1')),
    'a statement that ran out of time': await thrown(
      pool.query(`set statement_timeout = 1; select pg_sleep(1); reset statement_timeout`)
    ),
    'a full disk': await thrown(finished(createWriteStream('/dev/full').end('x'))),
    'no file handles': systemError('EMFILE', 'open'),
    'a socket that is not there': systemError('ENOENT', 'connect'),
    'a code of ours': new AppError('STORE_UNAVAILABLE', 'away')
  }
  for (const [name, fault] of Object.entries(faults)) t.equal(isInfrastructureFault(fault), true, name)
})

t.test('faults that a record or our code has are not', async t => {
  const { pool } = await testDatabase(t)
  const faults: Record<string, unknown> = {
    'a refused value': await thrown(pool.query(`select 'x'::int`)),
    'a statement that is wrong': await thrown(pool.query('selec')),
    'a file that is not there': await thrown(finished(createReadStream('/nowhere/at/all'))),
    'a fault of ours': new TypeError('x'),
    'a code of ours': new AppError('INTERNAL', 'x'),
    'no error at all': 'x'
  }
  for (const [name, fault] of Object.entries(faults)) t.equal(isInfrastructureFault(fault), false, name)
})

t.test('a database that is not available says what is wrong and what to do, and no value', async t => {
  const { url } = await testDatabase(t)
  const at = (change: (url: URL) => void): string => {
    const changed = new URL(url)
    change(changed)
    return changed.href
  }
  const cases: readonly (readonly [string, RegExp])[] = [
    ['postgres://127.0.0.1:1/x', /not available \(ECONNREFUSED\)\. Nothing answers.*DATABASE_URL/],
    ['postgres://nobody.invalid/x', /\((?:ENOTFOUND|EAI_AGAIN)\)\. Its host has no address/],
    [at(to => (to.pathname = '/not_there')), /\(3D000\)\. It has no database of that name/],
    [at(to => (to.username = 'stranger_x')), /\(28\w{3}\)\. It refused the user or the password/]
  ]
  for (const [address, message] of cases) {
    const pool = createPool({ url: address, max: 1, applicationName: 'x', onError: () => undefined })
    const error = toDatabaseError(await thrown(pool.query('select 1')))
    await pool.end()
    t.equal(error.code, 'DATABASE_UNAVAILABLE', address)
    t.match(error.message, message)
    t.equal(
      'sqlstate' in error.details,
      /\((?:3D|28)/.test(error.message),
      'codes of the system are not called SQLSTATEs'
    )
    t.notMatch(error.message, /stranger_x|not_there/)
  }
})

t.test('a refused statement is named by its SQLSTATE; a fault of another kind is not called one', async t => {
  const { pool } = await testDatabase(t)
  const refused = toDatabaseError(await thrown(pool.query(`select 'secret'::int`)))
  t.match(refused, {
    code: 'VALUE_NOT_STORABLE',
    message: /refused a statement \(22P02\)/,
    details: { sqlstate: '22P02' }
  })
  t.match(toDatabaseError(new TypeError('secret')), { code: 'INTERNAL', message: /a step of a transaction/i })
})
