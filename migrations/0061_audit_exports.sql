-- Exports of a jurisdiction's audit trail: each is a subject with a chain of its own that says who took it.
create table audit_export (
  jurisdiction text collate "C" not null,
  id uuid not null,
  actor text not null,
  requested_at timestamptz not null default now(),
  audit_seq integer not null,
  audit_hash bytea not null,
  primary key (jurisdiction, id)
);
