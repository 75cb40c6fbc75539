-- One audit entry per subject and transaction, and one commit row per transaction that wrote entries.
create table audit_entry (
  jurisdiction text collate "C" not null,
  subject_id uuid not null,
  seq integer not null check (seq >= 1),
  entry bytea not null,
  hash bytea not null,
  primary key (jurisdiction, subject_id, seq)
);
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();

create table audit_commit (
  jurisdiction text collate "C" not null,
  id uuid not null,
  entries integer not null check (entries >= 1),
  root bytea not null,
  committed_at timestamptz not null default now(),
  leaf_index bigint,
  primary key (jurisdiction, id)
);

create function refuse_commit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.leaf_index is null and new.leaf_index is not null
    and (new.jurisdiction, new.id, new.entries, new.root, new.committed_at)
      = (old.jurisdiction, old.id, old.entries, old.root, old.committed_at) then
    return new;
  end if;
  raise exception 'audit_commit is append only: % refused', tg_op using errcode = '42501';
end
$$;
create trigger audit_commit_append_only before update or delete on audit_commit
  for each row execute function refuse_commit_change();
create trigger audit_commit_no_truncate before truncate on audit_commit
  for each statement execute function refuse_change();

create view audit_transition as
select e.jurisdiction, e.subject_id, e.seq, j ->> 'kind' as kind, j ->> 'batch' as batch_id,
  j ->> 'actor' as actor, j ->> 'manifest' as manifest_version, j -> 'reasons' as reasons,
  t.ordinality as step, t.value ->> 0 as transition, (t.value ->> 1)::timestamptz as at
from audit_entry e
cross join lateral (select convert_from(e.entry, 'UTF8')::jsonb as j) parsed
cross join lateral jsonb_array_elements(j -> 'transitions') with ordinality t;

-- The steps of an entry: [[transition, time], …] without the outer brackets. A step is given as a time this database
-- wrote before, or as milliseconds before this transaction's now().
create function audit_steps(timeline jsonb) returns text language sql stable as $$
  select string_agg('["' || (step ->> 0) || '","' || case when jsonb_typeof(step -> 1) = 'string' then step ->> 1
    else to_char((now() - make_interval(secs => (step ->> 1)::double precision / 1000)) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end || '"]', ',' order by position)
  from jsonb_array_elements(timeline) with ordinality s(step, position)
$$;

-- The canonical text of an entry. `opening`, `jurisdiction` and `manifest` are what all entries of a transaction share.
create function audit_text(opening text, detail text, idempotency_key text, jurisdiction text, kind text, manifest text,
  previous text, reasons text, seq integer, subject text, steps text) returns bytea language sql stable as $$
  select convert_to(concat(opening, '"detail":' || detail || ',', '"form":1,', '"idempotency_key":"' || idempotency_key || '",',
    jurisdiction, '"kind":"', kind, manifest, coalesce('"' || previous || '"', 'null'), ',"reasons":', reasons, ',"seq":', seq,
    ',"subject":"', subject, '","transitions":[', steps, ']}'), 'UTF8')
$$;
