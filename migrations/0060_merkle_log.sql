-- The log of a jurisdiction: its audit commits in the order in which they were sealed, as leaves of an RFC 6962 tree.
alter table audit_commit add constraint audit_commit_leaf unique (jurisdiction, leaf_index);
create index audit_commit_unsealed on audit_commit (jurisdiction, id) where leaf_index is null;
create index audit_commit_time on audit_commit (jurisdiction, committed_at, id);

-- Where the id of its commit stands in an entry's bytes: before anything that somebody else could have written.
create function audit_commit_of(entry bytea) returns text language sql immutable as $$
  select encode(substring(entry from position('"commit":"'::bytea in entry) + 10 for 36), 'escape')
$$;
create function audit_commit_of_page(frame text[]) returns text language sql immutable as $$
  select substring(frame[1] from position('"commit":"' in frame[1]) + 10 for 36)
$$;
create index audit_entry_commit on audit_entry (jurisdiction, audit_commit_of(entry));
create index audit_page_commit on audit_page (jurisdiction, audit_commit_of_page(frame));

-- Hashes of the tree's whole subtrees of 256^level leaves, 256 in a row. Those of level 0 are kept once they are all
-- there, since the leaves themselves are; those above grow.
create table audit_tile (
  jurisdiction text collate "C" not null,
  level integer not null check (level between 0 and 7),
  index bigint not null check (index >= 0),
  hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
  primary key (jurisdiction, level, index),
  check (level > 0 or length(hashes) = 8192)
);
alter table audit_tile alter column hashes set storage external;
create function refuse_tile_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.jurisdiction, new.level, new.index) = (old.jurisdiction, old.level, old.index)
    and length(new.hashes) > length(old.hashes) and substring(new.hashes for length(old.hashes)) = old.hashes then
    return new;
  end if;
  raise exception 'audit_tile only grows: % refused', tg_op using errcode = '42501';
end
$$;
create trigger audit_tile_only_grows before update or delete on audit_tile
  for each row execute function refuse_tile_change();
create trigger audit_tile_no_truncate before truncate on audit_tile
  for each statement execute function refuse_change();

-- What was signed: size and root of the tree, as a note in the form of C2SP tlog-checkpoint.
create table audit_checkpoint (
  jurisdiction text collate "C" not null,
  size bigint not null check (size >= 1),
  root bytea not null check (length(root) = 32),
  note text not null,
  created_at timestamptz not null default now(),
  primary key (jurisdiction, size)
);
create trigger audit_checkpoint_append_only before update or delete or truncate on audit_checkpoint
  for each statement execute function refuse_change();

-- How far each place outside has the checkpoints of a jurisdiction.
create table checkpoint_delivery (
  jurisdiction text collate "C" not null,
  destination text not null,
  size bigint not null default 0,
  delivered_at timestamptz,
  failures integer not null default 0,
  next_at timestamptz not null default now(),
  fault text,
  primary key (jurisdiction, destination)
);
