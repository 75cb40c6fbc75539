/** What is known from outside the database, as the one value that statements are given. */
export interface Evidence {
  /** Batches that clients were told of. */
  readonly acked: readonly { readonly id: string; readonly key: string; readonly records: number | null }[]
  /** Every file of the payload store. */
  readonly blobs: readonly { readonly uri: string; readonly sha256: string; readonly size: number }[]
}

export interface Guarantee {
  readonly name: string
  readonly says: string
  /** Rows of `subject` and `message` that break it; `$1` is the evidence, where it is used. */
  readonly find: string
}

/**
 * What holds after everything that can be done to a deployment: one statement each. Written apart from `docket verify`, so
 * that neither is the other's only witness.
 */
export const GUARANTEES: readonly Guarantee[] = [
  {
    name: 'G1',
    says: 'every acknowledged batch exists, with all of its records once it is done',
    find: `select a.id as subject, case when b.id is null then 'does not exist' else format('has %s of %s records', r.n, a.records) end as message
      from jsonb_to_recordset($1::jsonb -> 'acked') as a(id uuid, records int)
      left join batch b on b.id = a.id
      left join lateral (select count(*) as n from record where jurisdiction = b.jurisdiction and batch_id = b.id) r on true
      where b.id is null or (b.state = 'completed' and a.records is not null and r.n <> a.records)`
  },
  {
    name: 'G2',
    says: 'everything has ended, and what is not accepted says why',
    find: `select id as subject, 'the batch is ' || state as message from batch where state not in ('completed', 'cancelled')
      union all select id, 'the file is ' || state from file where state not in ('split', 'cancelled')
      union all select id, 'the chunk is ' || state from chunk where state not in ('committed', 'cancelled')
      union all select id, 'is ' || state || ' without a reason' from record where state <> 'accepted' and reasons = '[]'
      union all select id, 'waits for another run' from record where retry_requested`
  },
  {
    name: 'G3',
    says: 'nothing took effect twice: one record a place, one original a version, one row a version',
    find: `select min(id::text)::uuid as subject, format('is one of %s records of one place', count(*)) as message
      from record group by jurisdiction, batch_id, file_number, item having count(*) > 1
      union all
      select min(id::text)::uuid, format('is one of %s originals of one version', count(*)) from record
      where state = 'accepted' and duplicate_of is null group by jurisdiction, profile, natural_key, version having count(*) > 1
      union all
      select min(record_id::text)::uuid, format('has one of %s rows of one version', count(*)) from canonical_record
      group by jurisdiction, profile, natural_key, version having count(*) > 1`
  },
  {
    name: 'G4',
    says: 'every record has exactly one first audit entry, the newest commits to what it is, and no entry is without its record',
    find: `with paged as (
        select s.subject_id, s.content from audit_page p cross join lateral unnest(p.subjects, p.contents) s(subject_id, content)
      ), single as materialized (
        select subject_id, seq, convert_from(entry, 'UTF8')::jsonb as entry from audit_entry
      ), firsts as materialized (
        select subject_id from paged union all select subject_id from single where seq = 1 and entry ->> 'kind' = 'record'
      ), newest as (
        select distinct on (subject_id) subject_id, content from (
          select subject_id, 1 as seq, encode(content, 'hex') as content from paged where content is not null
          union all select subject_id, seq, entry ->> 'content' from single where entry ? 'content') n
        order by subject_id, seq desc
      )
      select r.id as subject, format('has %s first entries', coalesce(f.n, 0)) as message from record r
      left join (select subject_id, count(*) as n from firsts group by 1) f on f.subject_id = r.id
      where f.n is distinct from 1
      union all
      select c.id, 'is not what its newest entry commits to' from record_commitment c join newest n on n.subject_id = c.id
      where c.content is not null and encode(c.content, 'hex') <> n.content
      union all
      select t.subject_id, 'has an entry and no record' from firsts t left join record r on r.id = t.subject_id
      where r.id is null`
  },
  {
    name: 'G5',
    says: 'the counts of every chunk are those of its records',
    find: `select c.id as subject, format('counts %s records and has %s', c.record_count, coalesce(f.n, 0)) as message from chunk c
      left join (
        select chunk_id, count(*) as n, count(*) filter (where state = 'accepted' and duplicate_of is null) as accepted,
          count(*) filter (where state = 'accepted' and duplicate_of is not null) as duplicate,
          count(*) filter (where state = 'quarantined') as quarantined, count(*) filter (where state = 'rejected') as rejected
        from record group by chunk_id
      ) f on f.chunk_id = c.id
      where c.state = 'committed' and (c.record_count, c.accepted, c.duplicate, c.quarantined, c.rejected) is distinct from
        (coalesce(f.n, 0), coalesce(f.accepted, 0), coalesce(f.duplicate, 0), coalesce(f.quarantined, 0), coalesce(f.rejected, 0))
        and not exists (select 1 from batch b where b.id = c.batch_id and b.options @> '{"dry_run": true}')`
  },
  {
    name: 'G6',
    says: 'the bytes of every file lie in the store as they were received, or as an erasure left them; what was removed is gone',
    find: `select f.id as subject, case when f.payload_removed_at is not null then 'its payload is still there'
        when s.uri is null then 'its payload is gone' else 'its payload is not what was received' end as message
      from file f left join jsonb_to_recordset($1::jsonb -> 'blobs') as s(uri text, sha256 text, size bigint) on s.uri = f.payload_uri
      where case when f.payload_removed_at is not null then s.uri is not null
        else (s.sha256, s.size) is distinct from (encode(coalesce(f.payload_sha256, f.sha256), 'hex'), f.size) end`
  },
  {
    name: 'G7',
    says: 'every chain is gapless, unforked and of unaltered entries, and its end is known to its subject',
    find: `with entry as materialized (
        select jurisdiction, subject_id, seq, hash, case when seq > 1 then convert_from(entry, 'UTF8')::jsonb ->> 'previous' end as previous
        from audit_trail
      ), link as materialized (
        select subject_id, seq, hash, previous, lag(hash) over w as before, lag(seq) over w as seq_before, lead(seq) over w as seq_after
        from entry window w as (partition by jurisdiction, subject_id order by seq)
      ), known as (
        select id, audit_seq, audit_hash from batch union all select id, audit_seq, audit_hash from file
        union all select id, audit_seq, audit_hash from record union all select id, audit_seq, audit_hash from audit_export
      )
      select subject_id as subject, format('entry %s is not the one after %s', seq, seq_before) as message from link
      where seq <> coalesce(seq_before, 0) + 1
      union all select subject_id, format('entry %s has another hash than its bytes', seq) from audit_entry where sha256(entry) <> hash
      union all select subject_id, format('entry %s does not name the one before', seq) from link
      where seq_before is not null and previous is distinct from encode(before, 'hex')
      union all select k.id, 'knows another end of its chain' from known k join link t on t.subject_id = k.id and t.seq_after is null
      where (t.seq, t.hash) is distinct from (k.audit_seq, k.audit_hash)`
  },
  {
    name: 'G8',
    says: 'every audit commit older than ten seconds has one leaf, and leaves are numbered without a gap',
    find: `select id as subject, 'has no leaf' as message from audit_commit
      where leaf_index is null and committed_at < now() - interval '10 seconds'
      union all
      select min(id::text)::uuid, format('%s leaves up to number %s', count(distinct leaf_index), max(leaf_index)) from audit_commit
      where leaf_index is not null group by jurisdiction having count(*) <> count(distinct leaf_index) or max(leaf_index) + 1 <> count(*)`
  },
  {
    name: 'G9',
    says: 'checkpoints grow, say what was signed, and the newest covers every leaf',
    find: `select jurisdiction as subject, format('checkpoint %s says another size or root than its note', size) as message
      from audit_checkpoint
      where (split_part(note, chr(10), 2), decode(split_part(note, chr(10), 3), 'base64')) is distinct from (size::text, root)
      union all
      select jurisdiction, format('checkpoint %s is older than a smaller one', size) from (
        select jurisdiction, size, created_at, max(created_at) over (partition by jurisdiction order by size rows between unbounded preceding and 1 preceding) as before
        from audit_checkpoint) c where created_at < before
      union all
      select l.jurisdiction, format('%s leaves, and the newest checkpoint has %s', l.n, coalesce(c.size, 0)) from
        (select jurisdiction, count(*) as n from audit_commit where leaf_index is not null group by 1) l
        left join (select jurisdiction, max(size) as size from audit_checkpoint group by 1) c on c.jurisdiction = l.jurisdiction
      where c.size is distinct from l.n`
  },
  {
    name: 'G10',
    says: 'no row is of another jurisdiction than what it belongs to',
    find: `select f.id as subject, 'the file is of another jurisdiction than its batch' as message from file f join batch b on b.id = f.batch_id where f.jurisdiction <> b.jurisdiction
      union all select c.id, 'the chunk is of another jurisdiction than its batch' from chunk c join batch b on b.id = c.batch_id where c.jurisdiction <> b.jurisdiction
      union all select r.id, 'the record is of another jurisdiction than its batch' from record r join batch b on b.id = r.batch_id where r.jurisdiction <> b.jurisdiction
      union all select v.record_id, 'the version is of another jurisdiction than its batch' from canonical_record v join batch b on b.id = v.batch_id where v.jurisdiction <> b.jurisdiction
      union all select j.id, 'the job is of another jurisdiction than its chunk' from pgboss.job j join chunk c on c.id::text = j.data ->> 'subject' where c.jurisdiction <> j.data ->> 'jurisdiction'`
  },
  {
    name: 'G11',
    says: 'no job is left for what ended more than a minute ago',
    find: `select j.id as subject, format('is %s in %s for a chunk that is %s', j.state, j.name, c.state) as message
      from pgboss.job j join chunk c on c.id::text = j.data ->> 'subject'
      where j.name in ('chunk', 'document', 'ocr') and j.state in ('created', 'retry', 'active') and c.state <> 'pending'
        and c.committed_at < now() - interval '1 minute' and j.created_on < now() - interval '1 minute'`
  },
  {
    name: 'G12',
    says: 'an Idempotency-Key, and a content, stand for one batch',
    find: `select a.id as subject, format('key %s is bound to another batch', a.key) as message
      from jsonb_to_recordset($1::jsonb -> 'acked') as a(id uuid, key text)
      join submission_key k on k.scope <> 'digest' and k.key = a.key where k.batch_id <> a.id
      union all
      select min(id::text)::uuid, format('is one of %s batches of one content', count(*)) from batch
      where state <> 'cancelled' and not options @> '{"dry_run": true}' group by jurisdiction, digest having count(*) > 1`
  }
]
