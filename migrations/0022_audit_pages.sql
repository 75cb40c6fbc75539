-- First audit entries of a chunk's plain records: they differ in subject, idempotency key and reason codes only, so the
-- rest of their text is kept once, cut where those parts go in. The entry is the text put together again.
create table audit_page (
  jurisdiction text collate "C" not null,
  chunk_id uuid not null,
  frame text[] not null check (cardinality(frame) = 4),
  subjects uuid[] not null,
  keys bytea[] not null,
  codes text[] not null,
  primary key (jurisdiction, chunk_id),
  check (cardinality(subjects) >= 1 and cardinality(keys) = cardinality(subjects) and cardinality(codes) = cardinality(subjects))
);
-- Digests and random ids do not compress.
alter table audit_page alter column subjects set storage external, alter column keys set storage external;
create trigger audit_page_append_only before update or delete or truncate on audit_page
  for each statement execute function refuse_change();

-- The bytes of an entry of a page: before the key, between key and codes, between codes and subject, after the subject.
create function audit_page_text(frame text[], key bytea, codes text, subject uuid) returns bytea
  language sql immutable as $$
  select convert_to(concat(frame[1], encode(key, 'hex'), frame[2], codes, frame[3], subject::text, frame[4]), 'UTF8')
$$;

-- Every entry of the audit trail, however it is stored.
create view audit_trail as
select jurisdiction, subject_id, seq, entry, hash from audit_entry
union all
select p.jurisdiction, s.subject_id, 1, t.entry, sha256(t.entry)
from audit_page p
cross join lateral unnest(p.subjects, p.keys, p.codes) s(subject_id, key, codes)
cross join lateral (select audit_page_text(p.frame, s.key, s.codes, s.subject_id) as entry) t;

create or replace view audit_transition as
select e.jurisdiction, e.subject_id, e.seq, j ->> 'kind' as kind, j ->> 'batch' as batch_id,
  j ->> 'actor' as actor, j ->> 'manifest' as manifest_version, j -> 'reasons' as reasons,
  t.ordinality as step, t.value ->> 0 as transition, (t.value ->> 1)::timestamptz as at
from audit_trail e
cross join lateral (select convert_from(e.entry, 'UTF8')::jsonb as j) parsed
cross join lateral jsonb_array_elements(j -> 'transitions') with ordinality t;
