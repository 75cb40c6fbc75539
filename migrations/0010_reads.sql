-- Indexes for the listings of the API, and the row a process writes to show that the database takes writes.
create index batch_by_id on batch (id);

create table heartbeat (
  process text collate "C" primary key,
  seen_at timestamptz not null default now()
);
