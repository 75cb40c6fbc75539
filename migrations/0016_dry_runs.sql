-- What would become of the records of a dry run, and how its own records would follow each other. Nothing else reads them:
-- no head, version, held content or audit entry comes of a dry run's records.
create table dry_run_record (
  jurisdiction text collate "C" not null,
  batch_id uuid not null,
  file_number integer not null,
  item integer not null,
  id uuid not null,
  file_id uuid not null,
  chunk_id uuid not null,
  line integer,
  profile text collate "C" not null,
  state text not null check (state in ('accepted', 'quarantined', 'rejected')),
  manifest integer not null,
  idempotency_key bytea not null,
  natural_key text collate "C",
  version integer,
  duplicate_of uuid,
  confidence real,
  reasons jsonb not null,
  fields jsonb not null,
  content jsonb,
  diagnostic jsonb,
  created_at timestamptz not null default now(),
  primary key (jurisdiction, batch_id, file_number, item)
);
create index dry_run_held on dry_run_record (jurisdiction, batch_id, idempotency_key)
  where state = 'quarantined' and duplicate_of is null;

create index batch_dry_run on batch (id) where options @> '{"dry_run": true}';

create table dry_run_head (
  jurisdiction text collate "C" not null,
  batch_id uuid not null,
  natural_key text collate "C" not null,
  version integer not null,
  last_version integer not null,
  idempotency_key bytea not null,
  record_id uuid not null,
  batch_order integer not null check (batch_order in (-1, 0, 1)),
  file_number integer not null,
  item integer not null,
  primary key (jurisdiction, batch_id, natural_key)
);
