import t from 'tap'
import { BATCH_STATES, CHUNK_STATES, FILE_STATES, LANES, RECORD_STATES } from '../../src/model/states.ts'
import { testDatabase } from '../helpers/database.ts'

t.test('the lists of states are the ones the database checks', async t => {
  const { pool } = await testDatabase(t)
  const { rows } = await pool.query<{ table: string; definition: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c'`
  )
  const allowed = (table: string, column: string): string[] => {
    const check = rows.find(row => row.table === table && row.definition.startsWith(`CHECK ((${column} = ANY`))
    return [...(check?.definition.matchAll(/'([a-z]+)'::text/g) ?? [])].map(match => match[1] ?? '')
  }
  t.same(allowed('batch', 'state'), BATCH_STATES)
  t.same(allowed('batch', 'lane'), LANES)
  t.same(allowed('file', 'state'), FILE_STATES)
  t.same(allowed('chunk', 'state'), CHUNK_STATES)
  t.same(allowed('record', 'state'), RECORD_STATES)
  t.same(allowed('record_revision', 'state'), RECORD_STATES)
})
