-- Which row of an errors file that came back settles which held record. A record is spoken for by one row at most: from
-- then on no decision about it is taken, and it ends when that row has become a record of its own.
create table correction (
  jurisdiction text collate "C" not null,
  record_id uuid not null,
  batch_id uuid not null,
  file_number integer not null,
  item integer not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (jurisdiction, record_id)
);
create index correction_open on correction (jurisdiction, batch_id, file_number, item) where settled_at is null;
