-- Fee schedules as data: lines of several kinds, how they are rounded, and who has signed off what looks wrong in the adopted
-- text. Rows of before keep their table of brackets.
alter table registry_fee_schedule
  alter column brackets drop not null,
  add column definition jsonb,
  add column version integer not null default 1 check (version >= 1),
  add constraint registry_fee_schedule_content check ((definition is null) <> (brackets is null));

-- Every schedule as it was ever loaded: records name the schedule they were charged by, and it may be loaded again since.
create table registry_fee_schedule_version (
  jurisdiction text collate "C" not null,
  id text collate "C" not null,
  version integer not null check (version >= 1),
  effective_from date not null,
  effective_to date,
  -- As in registry_fee_schedule: one of the two.
  definition jsonb,
  brackets jsonb,
  loaded_by text not null,
  loaded_at timestamptz not null default now(),
  primary key (jurisdiction, id, version)
);
create trigger registry_fee_schedule_version_append_only
  before update or delete or truncate on registry_fee_schedule_version
  for each statement execute function refuse_change();
