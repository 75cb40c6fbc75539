-- Answers of registries elsewhere, and who is asking for those that are missing: one row a key.
create table registry_cache (
  jurisdiction text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  -- The configuration the answer was given under; another one's answers do not count.
  version integer not null,
  answer jsonb,
  fetched_at timestamptz,
  -- Used without asking until then, and a match beside being asked for anew until `stale_until`.
  fresh_until timestamptz,
  stale_until timestamptz,
  claimed_by uuid,
  claimed_until timestamptz,
  primary key (jurisdiction, kind, key)
);
-- Rewritten in place again and again.
alter table registry_cache set (fillfactor = 80);
create index registry_cache_age on registry_cache (coalesce(stale_until, claimed_until));
