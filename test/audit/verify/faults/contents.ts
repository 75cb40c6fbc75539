import { type Fault, FOLLOWER, fault, HELD, RECORD, RELEASED } from './fault.ts'

/** A record as it stands in the table, altered past every trigger. */
const altered = (row: string, change: string): string => `update record set ${change} where id = ${row} returning id`
const earlier = (change: string): string =>
  `update record_revision set ${change} where record_id = ${RELEASED} returning record_id`

/** Faults in what records are, which their entries have only committed to. */
// biome-ignore format: one fault a line
export const CONTENT_FAULTS: Fault[] = [
  fault('record-content', 'a value of a version', `update canonical_record set content = content || '{"submission_id": "another"}' where record_id = ${RECORD} returning record_id`),
  fault('record-content', 'a member more in a version', `update canonical_record set content = content || '{"more": null}' where record_id = ${RECORD} returning record_id`),
  fault('record-content', 'a value of a held record', altered(HELD, `content = coalesce(content, '{}') || '{"parcel_id": "1"}'`)),
  fault('record-content', 'the content of a held record taken away', altered(HELD, 'content = null')),
  fault('record-content', 'an envelope', altered(RECORD, `fields = '{"parcel_id": {"raw": "1"}}'`)),
  fault('record-content', "a reason's sentence", altered(HELD, `reasons = jsonb_set(reasons, '{0,message}', '"All is well."')`)),
  fault('record-content', 'a reason taken away', altered(FOLLOWER, `reasons = '[]'`)),
  fault('record-content', 'a confidence', altered(RECORD, 'confidence = 0.5')),
  fault('record-content', 'a line', altered(RECORD, 'line = coalesce(line, 0) + 1')),
  fault('record-content', 'somebody else decided', altered(RELEASED, `decision = '{"actor": "key:nobody"}'`)),
  fault('record-content', 'another salt', altered(RECORD, `salt = decode(repeat('00', 16), 'hex')`)),
  fault('record-content', 'no salt, and no erasure told', altered(RECORD, 'salt = null')),
  fault('record-content', 'a value of an earlier revision', earlier(`fields = '{"parcel_id": {"raw": "1"}}'`)),
  fault('record-content', 'a reason of an earlier revision', earlier(`reasons = '[]'`)),
  fault('record-content', 'the natural key of an earlier revision', earlier(`natural_key = 'another'`)),
  fault('record-content', 'an earlier revision deleted', `delete from record_revision where record_id = ${RELEASED} returning record_id`),
  fault('record-content', 'a revision more', `insert into record_revision (jurisdiction, record_id, revision, state, manifest, reasons, fields) select jurisdiction, id, 0, state, manifest, '[]', '{}' from record where id = ${RELEASED} returning record_id`)
]
