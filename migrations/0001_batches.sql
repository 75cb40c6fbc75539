-- Submissions, their files and the chunks that are worked, committed and counted as one.
create table jurisdiction (
  code text collate "C" primary key,
  created_at timestamptz not null default now()
);

create table manifest (
  number integer generated always as identity primary key,
  version text collate "C" not null unique,
  profile text collate "C" not null,
  created_at timestamptz not null default now()
);

create table batch (
  jurisdiction text collate "C" not null,
  id uuid not null,
  state text not null check (state in ('queued', 'processing', 'completed', 'cancelled')),
  profile text collate "C" not null,
  source text,
  lane text not null check (lane in ('critical', 'standard', 'maintenance')),
  submitter text not null,
  options jsonb not null default '{}',
  digest bytea not null,
  manifest integer not null references manifest,
  parent_batch_id uuid,
  received_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  received_hash bytea not null,
  audit_seq integer not null,
  audit_hash bytea not null,
  primary key (jurisdiction, id),
  check ((finished_at is not null) = (state in ('completed', 'cancelled')))
);
create index batch_unfinished on batch (jurisdiction, id) where state in ('queued', 'processing');

create table file (
  jurisdiction text collate "C" not null,
  id uuid not null,
  batch_id uuid not null,
  number integer not null check (number >= 1),
  state text not null check (state in ('received', 'splitting', 'split', 'cancelled')),
  filename text not null,
  declared_type text,
  media_type text not null,
  kind text not null check (kind in ('data', 'document', 'archive', 'unsupported')),
  size bigint not null check (size >= 0),
  sha256 bytea not null,
  payload_uri text not null,
  format jsonb,
  progress jsonb,
  generation integer not null default 0,
  launches integer not null default 0,
  audit_seq integer not null,
  audit_hash bytea not null,
  primary key (jurisdiction, id),
  unique (jurisdiction, batch_id, number)
);

create table chunk (
  jurisdiction text collate "C" not null,
  id uuid not null,
  batch_id uuid not null,
  file_id uuid not null,
  file_number integer not null,
  ordinal integer not null,
  kind text not null check (kind in ('rows', 'document', 'fault')),
  state text not null check (state in ('pending', 'committed', 'cancelled')),
  byte_start bigint,
  byte_end bigint,
  first_item integer not null default 0,
  first_line integer,
  fault jsonb,
  record_count integer not null check (record_count >= 0),
  generation integer not null default 0,
  launches integer not null default 0,
  redrives integer not null default 0,
  accepted integer not null default 0,
  duplicate integer not null default 0,
  quarantined integer not null default 0,
  rejected integer not null default 0,
  stage_ms jsonb,
  created_at timestamptz not null default now(),
  committed_at timestamptz,
  primary key (jurisdiction, id),
  check (state <> 'committed' or record_count = accepted + duplicate + quarantined + rejected)
);
create index chunk_of_batch on chunk (jurisdiction, batch_id, file_number, first_item);
create index chunk_pending on chunk (jurisdiction, file_id, first_item) where state = 'pending';
create index chunk_waiting on chunk (jurisdiction, file_id, first_item) where state = 'pending' and generation = 0;

create table submission_key (
  scope text collate "C" not null,
  key text collate "C" not null,
  jurisdiction text collate "C" not null,
  fingerprint bytea,
  state text not null check (state in ('running', 'done')),
  owner uuid not null,
  lease_until timestamptz not null,
  batch_id uuid,
  answer jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (scope, key)
);
create index submission_key_expiry on submission_key (expires_at);
