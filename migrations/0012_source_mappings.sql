-- How the files of one source are read: which column is which field, and how dates and amounts are written. Versions are
-- kept for ever, since every file names the one it was read with.
create table source_mapping (
  jurisdiction text collate "C" not null,
  profile text collate "C" not null,
  -- '' stands for files that are sent without a source.
  source text collate "C" not null,
  version integer not null check (version >= 1),
  options jsonb not null,
  digest bytea not null,
  saved_by text not null,
  saved_at timestamptz not null default now(),
  primary key (jurisdiction, profile, source, version)
);
create trigger source_mapping_append_only before update or delete or truncate on source_mapping
  for each statement execute function refuse_change();
