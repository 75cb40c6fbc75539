-- What a record is stands in its audit entries as a commitment: SHA-256 over a salt of the record's own and its content,
-- fields, reasons and decision as text. The entry tells nothing of them; with the salt anybody can compare. Without the
-- salt, as after an erasure, the commitment says nothing, and the entries still verify.
alter table record add column salt bytea check (length(salt) = 16);
alter table record alter column salt set storage external;
alter table record_revision add column natural_key text collate "C";

-- The text that is committed to. Members stand in a fixed order, values as `jsonb` writes them.
create function record_text(revision integer, state text, item integer, line integer, natural_key text, confidence real,
  content jsonb, fields jsonb, reasons jsonb, decision jsonb) returns text language sql immutable as $$
  select '{"confidence": ' || coalesce(confidence::numeric::text, 'null') || ', "content": ' || coalesce(content::text, 'null')
    || ', "decision": ' || coalesce(decision::text, 'null') || ', "fields": ' || fields::text || ', "item": ' || item::text
    || ', "line": ' || coalesce(line::text, 'null') || ', "natural_key": ' || coalesce(to_json(natural_key)::text, 'null')
    || ', "reasons": ' || reasons::text || ', "revision": ' || revision::text || ', "state": "' || state || '"}'
$$;
create function commitment_of(salt bytea, told text) returns bytea language sql immutable as $$
  select sha256(convert_to(encode(salt, 'hex') || told, 'UTF8'))
$$;

-- Pages of entries written from now on have a commitment each, in front of the detail.
alter table audit_page add column contents bytea[];
alter table audit_page alter column contents set storage external;
alter table audit_page drop constraint audit_page_frame_check;
alter table audit_page add constraint audit_page_frame_check check (cardinality(frame) = case when contents is null then 4 else 5 end);
alter table audit_page add constraint audit_page_contents_check check (contents is null or cardinality(contents) = cardinality(subjects));

create function audit_page_text(frame text[], key bytea, codes text, subject uuid, content bytea) returns bytea
  language sql immutable as $$
  select case when content is null then audit_page_text(frame, key, codes, subject) else
    convert_to(concat(frame[1], encode(content, 'hex'), frame[2], encode(key, 'hex'), frame[3], codes, frame[4], subject::text, frame[5]), 'UTF8') end
$$;
create or replace view audit_trail as
select jurisdiction, subject_id, seq, entry, hash from audit_entry
union all
select p.jurisdiction, s.subject_id, 1, t.entry, sha256(t.entry)
from audit_page p
cross join lateral unnest(p.subjects, p.keys, p.codes, p.contents) s(subject_id, key, codes, content)
cross join lateral (select audit_page_text(p.frame, s.key, s.codes, s.subject_id, s.content) as entry) t;

-- The text of an entry with the commitment that goes before its detail; null for an entry that changes no record.
create function audit_text(opening text, content text, detail text, idempotency_key text, jurisdiction text, kind text,
  manifest text, previous text, reasons text, seq integer, subject text, steps text) returns bytea language sql stable as $$
  select audit_text(opening || coalesce('"content":"' || content || '",', ''), detail, idempotency_key, jurisdiction, kind,
    manifest, previous, reasons, seq, subject, steps)
$$;

-- What the newest entry about each record must have committed to, and the text; `content` is null without a salt.
create view record_commitment with (security_invoker = true) as
select r.jurisdiction, r.id, r.revision, r.salt, t.told, commitment_of(r.salt, t.told) as content
from record r
left join canonical_record v on v.jurisdiction = r.jurisdiction and v.profile = r.profile and v.natural_key = r.natural_key
  and v.version = r.version and v.record_id = r.id
cross join lateral (select record_text(r.revision, r.state, r.item, r.line, r.natural_key, r.confidence,
  coalesce(v.content, r.content), r.fields, r.reasons, r.decision) as told) t;
