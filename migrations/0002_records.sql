-- Submitted records, the versions of accepted content, and the current version of each natural key.
-- No foreign keys between per-record tables: verification checks what they would.
create table record (
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
  replaced_by uuid,
  confidence real,
  reasons jsonb not null default '[]',
  fields jsonb not null default '{}',
  content jsonb,
  diagnostic jsonb,
  decision jsonb,
  retry_requested boolean not null default false,
  revision integer not null default 1,
  audit_seq integer not null,
  audit_hash bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (jurisdiction, batch_id, file_number, item),
  check (state <> 'accepted' or version is not null)
);
create unique index record_id on record (jurisdiction, id);
create index record_quarantine on record (jurisdiction, created_at, id) where state = 'quarantined' and duplicate_of is null;
create index record_followers on record (jurisdiction, duplicate_of) where state = 'quarantined' and duplicate_of is not null;

create index record_retries on record (jurisdiction, chunk_id) where retry_requested;

-- What a record was before each change after its commit: the original reading and every correction stay on record.
create table record_revision (
  jurisdiction text collate "C" not null,
  record_id uuid not null,
  revision integer not null,
  state text not null check (state in ('accepted', 'quarantined', 'rejected')),
  manifest integer not null,
  confidence real,
  reasons jsonb not null,
  fields jsonb not null,
  content jsonb,
  decision jsonb,
  replaced_at timestamptz not null default now(),
  primary key (jurisdiction, record_id, revision)
);

create table canonical_record (
  jurisdiction text collate "C" not null,
  profile text collate "C" not null,
  natural_key text collate "C" not null,
  version integer not null check (version >= 1),
  idempotency_key bytea not null,
  record_id uuid not null,
  batch_received_at timestamptz not null,
  batch_id uuid not null,
  file_number integer not null,
  item integer not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (jurisdiction, profile, natural_key, version)
);

create table canonical_head (
  jurisdiction text collate "C" not null,
  profile text collate "C" not null,
  natural_key text collate "C" not null,
  version integer not null,
  last_version integer not null,
  idempotency_key bytea not null,
  record_id uuid not null,
  batch_received_at timestamptz not null,
  batch_id uuid not null,
  file_number integer not null,
  item integer not null,
  primary key (jurisdiction, profile, natural_key),
  check (version <= last_version)
);

-- Which held record speaks for a content: the others with the same content follow it.
create table held_content (
  jurisdiction text collate "C" not null,
  idempotency_key bytea not null,
  record_id uuid not null,
  primary key (jurisdiction, idempotency_key)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = '42501';
end
$$;
create trigger canonical_record_immutable before update or delete or truncate on canonical_record
  for each statement execute function refuse_change();
