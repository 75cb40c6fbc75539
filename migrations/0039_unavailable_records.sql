-- Held records that wait for a registry: run again when it answers.
create index record_unavailable on record (jurisdiction, id)
  where state = 'quarantined' and duplicate_of is null and reasons @> '[{"code": "ENRICH_UNAVAILABLE"}]';
