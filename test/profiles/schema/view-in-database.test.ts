import { test } from 'tap'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { loadProfiles } from '../../../src/profiles/load-profiles.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { viewSql } from '../../../src/profiles/schema/view-sql.ts'
import { testDatabase } from '../../helpers/database.ts'
import { CONTEXT, mapPermit, permitRow } from '../rows.ts'

test('the database takes the view of every built-in profile, twice, and reads typed values through it', async t => {
  const { pool } = await testDatabase(t)
  for (const profile of (await loadProfiles()).values()) {
    await pool.query(viewSql(profile))
    await pool.query(viewSql(profile))
  }
  const { values } = judge(permit, mapPermit(permitRow({ issued_date: '2024-02-06', units: '72', ward: '7' })), CONTEXT)
  const place = `gen_random_uuid(), now(), gen_random_uuid(), 1, 1`
  await pool.query(
    `insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
       batch_received_at, batch_id, file_number, item, content)
     values ('53033', 'permit', 'bp-0001', 1, sha256('x'), ${place}, $1)`,
    [JSON.stringify(values)]
  )
  const { rows } = await pool.query(
    `select submission_id, issued_date::text, (project_valuation * 2)::text as twice, (housing_units + 1)::text as more,
       attachments, extra ->> 'ward' as ward from permit where issued_date > date '2024-01-01'`
  )
  t.strictSame(rows, [
    { submission_id: 'BP-0001', issued_date: '2024-02-06', twice: '16800.00', more: '73', attachments: null, ward: '7' }
  ])
})
