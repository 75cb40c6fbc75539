-- Records whose values were erased: what is left of them are their audit entries, their states and this.
create table record_erasure (
  jurisdiction text collate "C" not null,
  record_id uuid not null,
  erased_at timestamptz not null default now(),
  actor text not null,
  reason text not null check (reason in ('subject_request', 'court_order', 'retention', 'sent_in_error')),
  -- The rule of retention that it was erased by.
  rule text,
  primary key (jurisdiction, record_id)
);

-- What became of a payload since it was received. The digest received stands in `sha256` for good; of a payload in which
-- rows were overwritten this is that of the bytes now.
alter table file add column payload_sha256 bytea check (octet_length(payload_sha256) = 32);
alter table file add column payload_removed_at timestamptz;

-- What is still to be done to objects of the store after the transaction that says so: removing them, or overwriting
-- ranges of bytes. Each is done until it is done, and may be done twice.
create table payload_change (
  jurisdiction text collate "C" not null,
  id uuid not null,
  file_id uuid not null,
  uri text not null,
  -- Null: the object is removed.
  patches jsonb,
  requested_at timestamptz not null default now(),
  primary key (jurisdiction, id)
);
create index payload_change_of_file on payload_change (jurisdiction, file_id);

-- Versions and kept answers change in one way only: a transaction that erases says so.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') and current_setting('docket.erasing', true) = 'on' then
    return null;
  end if;
  raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = '42501';
end
$$;
drop trigger canonical_record_immutable on canonical_record;
create trigger canonical_record_immutable before update or delete or truncate on canonical_record
  for each statement execute function refuse_change_but_erasure();
drop trigger registry_answers_append_only on registry_answers;
create trigger registry_answers_append_only before update or delete or truncate on registry_answers
  for each statement execute function refuse_change_but_erasure();

-- The text of an entry with its commitment; an empty one stands for null: nothing that was committed to is kept any more.
create or replace function audit_text(opening text, content text, detail text, idempotency_key text, jurisdiction text, kind text,
  manifest text, previous text, reasons text, seq integer, subject text, steps text) returns bytea language sql stable as $$
  select audit_text(opening || case when content is null then '' when content = '' then '"content":null,'
      else '"content":"' || content || '",' end, detail, idempotency_key, jurisdiction, kind,
    manifest, previous, reasons, seq, subject, steps)
$$;

-- What an erasure has still to do once its records are erased: settle the payload of a file, hide a natural key.
create table erasure_step (
  jurisdiction text collate "C" not null,
  kind text not null check (kind in ('file', 'key')),
  profile text collate "C" not null default '',
  ref text collate "C" not null,
  removes boolean not null,
  actor text not null,
  reason text not null,
  rule text,
  primary key (jurisdiction, kind, profile, ref)
);
