import { appendFile, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { outsideWorld } from './world.ts'

const FIRST = `(select id from audit_commit where leaf_index is not null order by leaf_index limit 1)`
const LATER = '(select subject_id from audit_entry where seq = 2 order by subject_id limit 1)'
const HELD = `(select id from record where state = 'quarantined' and audit_seq = 1 order by id limit 1)`
const rehash = (expression: string, where: string): string =>
  `update audit_entry e set entry = n.entry, hash = sha256(n.entry) from (
     select ctid as at, ${expression} as entry from audit_entry where ${where}) n where n.at = e.ctid`
const replaced = (from: string, to: string): string =>
  `convert_to(regexp_replace(convert_from(entry, 'UTF8'), '${from}', '${to}'), 'UTF8')`

/** What somebody does who is master of the database, each with the check that must name it and what it names. */
const TAMPERINGS: readonly (readonly [name: string, statement: string, check: RegExp])[] = [
  ['a bit of an entry', rehash('set_bit(entry, 3000, 1 - get_bit(entry, 3000))', `subject_id = ${LATER} and seq = 2`), /commit-root|entry-form/],
  ['another actor', rehash(replaced('"actor":"[^"]*"', '"actor":"key:nobody"'), `subject_id = ${LATER} and seq = 2`), /commit-root: commit|chain-end: record/],
  ['another time', rehash(replaced('"20', '"19'), `subject_id = ${LATER} and seq = 2`), /commit-root|chain-end/],
  ['another previous hash', rehash(replaced('"previous":"..', '"previous":"00'), `subject_id = ${LATER} and seq = 2`), /entry-link: entry/],
  ['an entry deleted', `delete from audit_entry where subject_id = ${LATER}`, /commit-root/],
  ['an entry in place of another', `update audit_entry e set entry = o.entry from audit_entry o where e.subject_id = ${LATER} and o.subject_id <> e.subject_id and o.seq = 2 and e.seq = 2`, /commit-root|entry-subject/],
  ['a record out of a page', `update audit_page set subjects = subjects[2:], keys = keys[2:], codes = codes[2:], contents = contents[2:]`, /commit-root/],
  ['a key of a page', `update audit_page set keys[1] = sha256('x')`, /commit-root/],
  ['a commit deleted', `delete from audit_commit where id = ${FIRST}`, /leaf-gap: commit/],
  ['a commit and its entries deleted', `delete from audit_entry where audit_commit_of(entry) = ${FIRST}::text; delete from audit_commit where id = ${FIRST}`, /leaf-gap: commit/],
  ['a root and count forged', `update audit_commit set root = sha256('x') where id = ${FIRST}`, /commit-root: commit/],
  ['another commit time', `update audit_commit set committed_at = committed_at - interval '1 day' where id = ${FIRST}`, /checkpoint-root: checkpoint/],
  ['two commits swapped', `alter table audit_commit drop constraint audit_commit_leaf; update audit_commit set leaf_index = 1 - leaf_index where leaf_index < 2`, /checkpoint-root: checkpoint/],
  ['the end of the log cut off', `delete from audit_commit where leaf_index >= (select max(leaf_index) from audit_commit) - 1`, /chain-end|checkpoint-root: checkpoint/],
  ['the last commit taken out of the log', `update audit_commit set leaf_index = null where leaf_index = (select max(leaf_index) from audit_commit)`, /checkpoint-root: checkpoint/],
  ['a record deleted', `delete from record where id = ${HELD}`, /chain-stray: subject/],
  ['a record made up', `insert into record select (jsonb_populate_record(r, '{"id":"00000000-0000-7000-8000-000000000000","item":9999}')).* from record r where id = ${HELD}`, /chain-missing: record 00000000/],
  ['the content of a record', `update record set idempotency_key = sha256('x') where id = ${HELD}`, /content-digest: record/],
  ['the digest of a file', `update file set sha256 = sha256('x')`, /content-digest: file/],
  ['what a row knows of its chain', `update record set audit_seq = audit_seq + 1 where id = ${HELD}`, /chain-end: record/],
  ['a batch deleted with its chain', `delete from audit_entry where subject_id = (select id from batch order by id limit 1); delete from batch where id = (select id from batch order by id limit 1)`, /commit-root/]
] // biome-ignore format: one a line

t.test('both verifiers accept a whole log, and find whatever its database’s master does', async t => {
  const world = await outsideWorld(t)
  const clean = await world.exported()
  const { own, python } = await world.verdicts(clean, { payloads: true })
  t.match(own, { status: 0 }, own.lines.join('\n'))
  t.same(python, own)
  t.match(own.lines[0], /^Checked \d\d? commits, 4\d entries, 37 subjects, 3 checkpoints\.$/)

  for (const [name, statement, check] of TAMPERINGS) {
    await t.test(name, async t => {
      const { own, python } = await world.verdicts(await world.exported(statement))
      t.equal(own.status, 1)
      t.match(own.lines.slice(1).join('\n'), check)
      t.same(python, own, 'the other verifier says the same, word for word')
    })
  }

  await t.test('payloads', async t => {
    const { rows } = await world.pipeline.pool.query<{ id: string }>('select id from file order by id limit 1')
    const path = join(world.payloads, rows[0]?.id ?? '')
    await appendFile(path, 'x')
    const { own, python } = await world.verdicts(clean, { payloads: true })
    t.match(own.lines[1], `FAILED payload-digest: file ${rows[0]?.id}`)
    t.same(python, own)
    await truncate(path, 0)
  })

  await t.test('checkpoints of a stranger, of another log, and none at all', async t => {
    const none = t.testdir({})
    const { own, python } = await world.verdicts(clean, { checkpoints: none })
    t.equal(own.status, 1)
    t.match(own.lines[1], /^NOT PROVED/)
    t.same(python, own)
    const note = await readFile(join(world.folder, 'checkpoint-1'), 'utf8')
    for (const [text, check] of [
      [note.replace('docket/53033\n', 'docket/53034\n'), 'checkpoint-signature'],
      [note.replace(/— docket\/53033/, '— docket/nobody'), 'checkpoint-signature'],
      ['nothing', 'checkpoint-form']
    ] as const) {
      const folder = t.testdir({ changed: text })
      const { own, python } = await world.verdicts(clean, { checkpoints: folder })
      t.match(own.lines[1], `FAILED ${check}`)
      t.same(python, own)
    }
  })
})
