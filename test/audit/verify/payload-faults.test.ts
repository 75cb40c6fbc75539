import { rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { CHECK_NAMES } from '../../../src/audit/verify/checks.ts'
import { verify } from '../../../src/audit/verify/verify.ts'
import { newId } from '../../../src/model/ids.ts'
import { createFileStore } from '../../../src/storage/file-store.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { CHAIN_FAULTS } from './faults/chains.ts'
import { CONTENT_FAULTS } from './faults/contents.ts'
import { LOG_FAULTS } from './faults/log.ts'
import { PAGE_FAULTS } from './faults/pages.ts'
import { TABLE_FAULTS } from './faults/tables.ts'
import { cleanDatabase } from './scenario.ts'

t.test('payloads: missing, cut, altered, of another file, left over', async t => {
  const { pool, folder } = await cleanDatabase(t)
  const store = await createFileStore({ folder, newId })
  const { rows } = await pool.query<{ id: string }>('select id from file order by id')
  const [gone, cut, altered, foreign, ...others] = rows.map(row => row.id) as [
    string,
    string,
    string,
    string,
    ...string[]
  ]
  const pathOf = (name: string): string => join(folder, JURISDICTION, name)
  await rm(pathOf(gone))
  await truncate(pathOf(cut), 3)
  await writeFile(pathOf(altered), `Payload of ${altered}`)
  await pool.query('update file set payload_uri = (select payload_uri from file where id = $2) where id = $1', [
    foreign,
    others[0]
  ])
  const [old, young] = [newId(), newId()]
  for (const name of [old, young]) await writeFile(pathOf(name), 'nobody')
  const longAgo = new Date(Date.now() - 2 * 86_400_000)
  for (const name of [old, others[0] ?? '']) await utimes(pathOf(name), longAgo, longAgo)

  const found = async (payloads: boolean) =>
    (await verify({ pool, store, payloads })).offenders.map(({ check, subject, count }) => [check, subject, count])
  t.same(await found(false), [
    ['payload-missing', gone, 2],
    ['payload-size', cut, 1],
    ['payload-orphan', `${JURISDICTION}/${old}`, 1]
  ])
  t.same(await found(true), [
    ['payload-missing', gone, 2],
    ['payload-size', cut, 1],
    ['payload-digest', altered, 1],
    ['payload-orphan', `${JURISDICTION}/${old}`, 1]
  ])
})

t.test('no check goes without a fault that it must find', async t => {
  const planted = new Set<string>(
    [...TABLE_FAULTS, ...CHAIN_FAULTS, ...PAGE_FAULTS, ...CONTENT_FAULTS, ...LOG_FAULTS].map(({ check }) => check)
  )
  t.same(
    CHECK_NAMES.filter(name => !planted.has(name)),
    ['payload-missing', 'payload-size', 'payload-digest', 'payload-orphan']
  )
})
