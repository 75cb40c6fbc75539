-- What an erasure looks for without reading tables as a whole: accepted records by the record whose content they repeat, as
-- whoever hides a natural key asks for all records of it; and what dry runs found, by content and by natural key.
create index record_repeats on record (jurisdiction, duplicate_of) where state = 'accepted' and duplicate_of is not null;
create index dry_run_content on dry_run_record (jurisdiction, idempotency_key);
create index dry_run_head_key on dry_run_head (jurisdiction, natural_key);
