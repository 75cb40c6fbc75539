-- Whether a registry is asked at present: shared by all workers, and by what runs held records again. Closed without a row.
create table registry_breaker (
  jurisdiction text collate "C" not null,
  kind text collate "C" not null,
  state text not null check (state in ('closed', 'open')),
  -- Failed calls since the last one that was answered.
  failures integer not null,
  -- How often it has opened, or stayed open after a trial, since the last call that was answered.
  openings integer not null,
  fault_kind text check (fault_kind in ('transient', 'configuration')),
  code text,
  opened_at timestamptz,
  -- One call is tried from then on, by whoever claims it.
  retry_at timestamptz,
  trial_until timestamptz,
  changed_at timestamptz not null default now(),
  primary key (jurisdiction, kind)
);

-- What an operator has to mend: one open alert a registry at most, however many records wait for it.
create table registry_alert (
  id bigint generated always as identity primary key,
  jurisdiction text collate "C" not null,
  kind text collate "C" not null,
  code text not null,
  raised_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index registry_alert_open on registry_alert (jurisdiction, kind) where ended_at is null;
