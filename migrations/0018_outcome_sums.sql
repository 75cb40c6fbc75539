-- What became of the records of all chunks committed up to an instant, so that a total is read from this row and the chunks
-- that came later. Dry runs do not count.
create table outcome_sum (
  is_single boolean primary key default true check (is_single),
  through timestamptz not null,
  accepted bigint not null,
  duplicate bigint not null,
  quarantined bigint not null,
  rejected bigint not null
);
insert into outcome_sum (through, accepted, duplicate, quarantined, rejected) values ('-infinity', 0, 0, 0, 0);

-- How decisions moved records of committed chunks since their chunk was summed up, or was to be.
create table outcome_move (
  id bigint generated always as identity primary key,
  chunk_committed_at timestamptz not null,
  accepted integer not null,
  duplicate integer not null,
  rejected integer not null
);
