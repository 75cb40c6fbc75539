-- What registries answered for the records of a chunk, as it was when they were judged by it: JSON text, whose digest stands
-- in the audit entries of those records.
create table registry_answers (
  jurisdiction text collate "C" not null,
  chunk_id uuid not null,
  digest bytea not null,
  answers bytea not null check (sha256(answers) = digest),
  kept_at timestamptz not null default now(),
  primary key (jurisdiction, chunk_id, digest)
);
create trigger registry_answers_append_only before update or delete or truncate on registry_answers
  for each statement execute function refuse_change();
