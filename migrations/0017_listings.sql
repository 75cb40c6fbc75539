-- What batch status and record listings need to stay fast at any size: sums over chunks from an index alone, the chunk of a
-- line, and which reasons a chunk's records have.
alter table chunk
  add column ms_queue_wait double precision generated always as ((stage_ms ->> 'queue_wait')::double precision) stored,
  add column ms_read double precision generated always as ((stage_ms ->> 'read')::double precision) stored,
  add column ms_extract double precision generated always as ((stage_ms ->> 'extract')::double precision) stored,
  add column ms_map double precision generated always as ((stage_ms ->> 'map')::double precision) stored,
  add column ms_enrich double precision generated always as ((stage_ms ->> 'enrich')::double precision) stored,
  add column ms_validate double precision generated always as ((stage_ms ->> 'validate')::double precision) stored,
  add column ms_commit double precision generated always as ((stage_ms ->> 'commit')::double precision) stored,
  -- Null: not known, any reason may be among them.
  add column codes text[];
create index chunk_sums on chunk (jurisdiction, batch_id)
  include (state, record_count, accepted, duplicate, quarantined, rejected,
    ms_queue_wait, ms_read, ms_extract, ms_map, ms_enrich, ms_validate, ms_commit);
create index chunk_lines on chunk (jurisdiction, batch_id, file_number, first_line);

create function forget_chunk_codes() returns trigger language plpgsql as $$
begin
  update chunk c set codes = null
  from (select distinct n.jurisdiction, n.chunk_id from new_rows n
    join old_rows o on o.jurisdiction = n.jurisdiction and o.id = n.id and o.reasons is distinct from n.reasons) changed
  where c.jurisdiction = changed.jurisdiction and c.id = changed.chunk_id and c.codes is not null;
  return null;
end
$$;
create trigger record_reasons_changed after update on record
  referencing old table as old_rows new table as new_rows
  for each statement execute function forget_chunk_codes();
