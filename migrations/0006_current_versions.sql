-- Most natural keys have one version, at one place: it is its own head, and `canonical_head` holds a row only for a key
-- that was submitted again. This view has one row for every natural key.
create view current_version with (security_invoker = true) as
select v.jurisdiction, v.profile, v.natural_key, coalesce(h.version, 1) as version, coalesce(h.last_version, 1) as last_version,
  coalesce(h.idempotency_key, v.idempotency_key) as idempotency_key, coalesce(h.record_id, v.record_id) as record_id,
  coalesce(h.batch_received_at, v.batch_received_at) as batch_received_at, coalesce(h.batch_id, v.batch_id) as batch_id,
  coalesce(h.file_number, v.file_number) as file_number, coalesce(h.item, v.item) as item
from canonical_record v left join canonical_head h using (jurisdiction, profile, natural_key)
where v.version = 1;
