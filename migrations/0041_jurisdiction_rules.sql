-- Rules of a jurisdiction for one profile, as loaded. Versions are kept for ever: records say by digest which they were
-- judged under. The latest is in force.
create table jurisdiction_rules (
  jurisdiction text collate "C" not null,
  profile text collate "C" not null,
  version integer not null check (version >= 1),
  content jsonb not null,
  -- SHA-256 of the content's canonical JSON.
  digest bytea not null,
  loaded_by text not null,
  loaded_at timestamptz not null default now(),
  primary key (jurisdiction, profile, version)
);
create trigger jurisdiction_rules_append_only before update or delete or truncate on jurisdiction_rules
  for each statement execute function refuse_change();

-- Held records with a statutory day, the first due first.
create index record_due on record (jurisdiction, (content ->> 'statutory_due_at'), id)
  where state = 'quarantined' and duplicate_of is null and (content ->> 'statutory_due_at') is not null;
