import { test } from 'tap'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { csvTemplate } from '../../../src/profiles/schema/csv-template.ts'
import { viewSql } from '../../../src/profiles/schema/view-sql.ts'
import { knownColumn } from '../../../src/profiles/tabular/column-index.ts'

test('the view has a typed column for every field', async t => {
  const sql = viewSql(permit)
  t.match(sql, /^create or replace view "permit" with \(security_invoker = true\) as\n/)
  for (const column of [
    `r.content ->> 'submission_id' as "submission_id"`,
    `(r.content ->> 'issued_date')::date as "issued_date"`,
    `(r.content ->> 'project_valuation')::numeric(18,2) as "project_valuation"`,
    `(r.content ->> 'housing_units')::bigint as "housing_units"`,
    `r.content -> 'attachments' as "attachments"`
  ]) {
    t.ok(sql.includes(column), column)
  }
  for (const name of Object.keys(permit.fields)) t.ok(sql.includes(` as "${name}"`), name)
})

test('the template holds columns the profile reads and a submission can fill', async t => {
  const names = csvTemplate(permit).trimEnd().split(',')
  t.ok(names.length > 20)
  for (const name of names) t.ok(knownColumn(permit, name), name)
  t.notOk(names.includes('fee_cents'), 'enrichment fills it')
  t.notOk(names.includes('attachments'), 'no single cell')
})
