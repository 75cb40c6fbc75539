import { type Fault, fault } from './fault.ts'

/** The page of one chunk of several plain records, and its first record. */
const PAGE = `(select chunk_id from audit_page order by cardinality(subjects) desc, chunk_id limit 1)`
const first = (column: string): string => `returning ${column}[1]`

const RECORDS = 'returning (select min(s::text) from unnest(subjects) s)'

/** Faults in pages of entries; what depends on them is not forged. */
// biome-ignore format: one fault a line
export const PAGE_FAULTS: Fault[] = [
  fault('chain-missing', 'a page deleted', `delete from audit_page where chunk_id = ${PAGE} ${RECORDS}`, ['commit-root']),
  fault('chain-gap', 'a page twice', `insert into audit_page select * from audit_page where chunk_id = ${PAGE} ${RECORDS}`, ['commit-root']),
  fault('page-chunk', 'a page under another chunk', `update audit_page set chunk_id = gen_random_uuid() where chunk_id = ${PAGE} returning chunk_id`),
  fault('chain-stray', 'an entry of a record that does not exist', `update audit_page set subjects[1] = gen_random_uuid() where chunk_id = ${PAGE} ${first('subjects')}`, ['chain-missing', 'commit-root']),
  fault('entry-facts', 'another idempotency key', `update audit_page set keys[1] = sha256('') where chunk_id = ${PAGE} ${first('subjects')}`, ['chain-end', 'commit-root']),
  fault('chain-end', 'another reason code', `update audit_page set codes[1] = '["FIELD_MISSING"]' where chunk_id = ${PAGE} ${first('subjects')}`, ['commit-root']),
  fault('chain-end', 'another actor', `update audit_page set frame[1] = replace(frame[1], 'worker:', 'key:') where chunk_id = ${PAGE} ${RECORDS}`, ['commit-root']),
  fault('entry-form', 'codes that are no JSON', `update audit_page set codes[1] = '[' where chunk_id = ${PAGE} ${first('subjects')}`, ['chain-end', 'commit-root']),
  fault('chain-missing', 'one record left out', `update audit_page set subjects = trim_array(subjects, 1), keys = trim_array(keys, 1), codes = trim_array(codes, 1), contents = trim_array(contents, 1) where chunk_id = ${PAGE} returning (select id from record where chunk_id = audit_page.chunk_id and id <> all(audit_page.subjects) and state = 'accepted' and duplicate_of is null)`, ['commit-root'])
]
