import { finder } from './snapshot.ts'

/** Heads whose version does not exist or tells another record or content than they do. */
export const findWrongHeads = finder(
  `select h.record_id as subject, case when v.version is null then format('version %s of its head does not exist', h.version)
     else format('its head and version %s name different records or contents', h.version) end as message
   from canonical_head h left join canonical_record v
     on (v.jurisdiction, v.profile, v.natural_key, v.version) = (h.jurisdiction, h.profile, h.natural_key, h.version)
   where h.jurisdiction = $1 and (v.record_id, v.idempotency_key) is distinct from (h.record_id, h.idempotency_key)`
)

/**
 * Versions whose place is later than their head's. A later duplicate confirms the head and moves its place on, so the
 * head's own version may stand earlier than the head, but none may stand later.
 */
export const findOvertakenHeads = finder(
  `select v.record_id as subject, format('version %s has a later place than the head, which is version %s', v.version, h.version) as message
   from current_version h join canonical_record v
     on (v.jurisdiction, v.profile, v.natural_key) = (h.jurisdiction, h.profile, h.natural_key)
   where h.jurisdiction = $1 and v.jurisdiction = $1
     and (v.batch_received_at, v.batch_id, v.file_number, v.item) > (h.batch_received_at, h.batch_id, h.file_number, h.item)`
)

/** Heads at a place where no accepted record says what they say. */
export const findUnconfirmedHeads = finder(
  `select h.record_id as subject, format('no accepted record of version %s stands at its head''s place', h.version) as message
   from current_version h
   left join record r on (r.jurisdiction, r.batch_id, r.file_number, r.item) = (h.jurisdiction, h.batch_id, h.file_number, h.item)
   left join batch b on b.jurisdiction = $1 and b.id = h.batch_id
   where h.jurisdiction = $1 and (r.state, r.profile, r.natural_key, r.version, b.received_at)
     is distinct from ('accepted', h.profile, h.natural_key, h.version, h.batch_received_at)`
)

/** Natural keys without a head, or whose versions are not numbered from 1 to the last their head knows. */
export const findVersionGaps = finder(
  `select coalesce(v.record_id, h.record_id::text) as subject, case when h.natural_key is null then 'its natural key has no head'
     else format('%s versions from %s to %s, the head knows %s', coalesce(v.versions, 0), v.first, v.last, h.last_version) end as message
   from (
     select profile, natural_key, count(*) as versions, min(version) as first, max(version) as last, min(record_id::text) as record_id
     from canonical_record where jurisdiction = $1 group by profile, natural_key
   ) v
   full join (select * from current_version where jurisdiction = $1) h
     on h.profile = v.profile and h.natural_key = v.natural_key
   where (v.first, v.versions, v.last) is distinct from (1, h.last_version::bigint, h.last_version)`
)

/** Versions whose record does not exist, is not accepted with them, or stands at another place. */
export const findWrongVersions = finder(
  `select v.record_id as subject, case when r.id is null then format('the record of version %s does not exist', v.version)
     else format('is not what version %s says of it', v.version) end as message
   from canonical_record v
   left join record r on r.jurisdiction = $1 and r.id = v.record_id
   left join batch b on b.jurisdiction = $1 and b.id = v.batch_id
   where v.jurisdiction = $1 and (r.state, r.profile, r.natural_key, r.version, r.idempotency_key, r.batch_id, r.file_number,
       r.item, b.received_at)
     is distinct from ('accepted', v.profile, v.natural_key, v.version, v.idempotency_key, v.batch_id, v.file_number,
       v.item, v.batch_received_at)`
)

/** Accepted records whose version does not exist, or is another record's although they are no duplicates. */
export const findUnversionedRecords = finder(
  `select r.id as subject, case when v.version is null then format('its version %s does not exist', r.version)
     else format('version %s is of another record, and this one is no duplicate', r.version) end as message
   from record r left join canonical_record v
     on (v.jurisdiction, v.profile, v.natural_key, v.version) = (r.jurisdiction, r.profile, r.natural_key, r.version)
   where r.jurisdiction = $1 and r.state = 'accepted'
     and (v.version is null or (r.duplicate_of is null and v.record_id <> r.id))`
)

/** Duplicates of a record that does not exist or is not accepted with their version. */
export const findFalseDuplicates = finder(
  `select r.id as subject, format('is a duplicate of %s, which is not accepted with version %s', r.duplicate_of, r.version) as message
   from record r left join record o on o.jurisdiction = $1 and o.id = r.duplicate_of
   where r.jurisdiction = $1 and r.state = 'accepted' and r.duplicate_of is not null
     and (o.state, o.profile, o.natural_key, o.version) is distinct from ('accepted', r.profile, r.natural_key, r.version)`
)
