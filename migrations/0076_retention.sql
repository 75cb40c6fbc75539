-- How long payloads and values are kept after their batch has ended, for each jurisdiction and profile. Rules are never
-- changed: the newest of its kind is in force, and one without days ends it.
create table retention_rule (
  jurisdiction text collate "C" not null,
  profile text collate "C" not null,
  what text not null check (what in ('payload', 'record')),
  version integer not null check (version >= 1),
  days integer check (days between 1 and 36500),
  set_by text not null,
  set_at timestamptz not null default now(),
  primary key (jurisdiction, profile, what, version)
);
create trigger retention_rule_append_only before update or delete or truncate on retention_rule
  for each statement execute function refuse_change();

-- Batches of which a rule has nothing more to do.
create table retention_done (
  jurisdiction text collate "C" not null,
  batch_id uuid not null,
  what text not null check (what in ('payload', 'record')),
  done_at timestamptz not null default now(),
  primary key (jurisdiction, batch_id, what)
);

-- What must not be erased or removed, whatever a rule or a request says, until it is let go of.
create table legal_hold (
  jurisdiction text collate "C" not null,
  id uuid not null,
  kind text not null check (kind in ('batch', 'record')),
  subject_id uuid not null,
  placed_by text not null,
  placed_at timestamptz not null default now(),
  lifted_by text,
  lifted_at timestamptz,
  primary key (jurisdiction, id),
  check ((lifted_at is null) = (lifted_by is null))
);
create unique index legal_hold_in_force on legal_hold (jurisdiction, subject_id) where lifted_at is null;

-- How a step settles a payload: overwrite rows that can be; share: remove what others share, too; wait: until none is
-- left; force: remove whatever is left.
alter table erasure_step add column mode text not null default 'overwrite'
  check (mode in ('overwrite', 'share', 'wait', 'force'));
update erasure_step set mode = 'share' where removes;
alter table erasure_step alter column mode drop default, drop column removes;
