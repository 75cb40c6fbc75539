import { finder } from './snapshot.ts'

/** Finished batches with a chunk that is still pending or a file that is not split. */
export const findOpenWork = finder(
  `select b.id as subject, format('is %s with %s pending chunks and %s unsplit files', b.state, w.chunks, w.files) as message
   from batch b cross join lateral (
     select (select count(*) from chunk c where c.jurisdiction = $1 and c.batch_id = b.id and c.state = 'pending') as chunks,
       (select count(*) from file f where f.jurisdiction = $1 and f.batch_id = b.id and f.state in ('received', 'splitting')) as files
   ) w
   where b.jurisdiction = $1 and b.state in ('completed', 'cancelled') and (w.chunks > 0 or w.files > 0)`
)

/** Split files of which nothing became a chunk or another file, and batches without any file: whatever was in them is found nowhere. */
export const findLostFiles = finder(
  `select f.id as subject, 'is split and neither a chunk nor a file came of it' as message from file f
   where f.jurisdiction = $1 and f.state = 'split'
     and not exists (select 1 from chunk c where c.jurisdiction = $1 and c.batch_id = f.batch_id and c.file_number = f.number)
     and not exists (select 1 from file e where e.jurisdiction = $1 and e.batch_id = f.batch_id and e.archive_id = f.id)
   union all
   select b.id, 'has no file' from batch b
   where b.jurisdiction = $1 and not exists (select 1 from file f where f.jurisdiction = $1 and f.batch_id = b.id)`
)

/** Files without their batch and chunks without their file. */
export const findMisplacedChunks = finder(
  `select f.id as subject, format('names the batch %s, which does not exist', f.batch_id) as message
   from file f left join batch b on b.jurisdiction = $1 and b.id = f.batch_id
   where f.jurisdiction = $1 and b.id is null
   union all
   select c.id, case when f.id is null then format('names the file %s, which does not exist', c.file_id)
     else format('names batch %s and file number %s, its file %s and %s', c.batch_id, c.file_number, f.batch_id, f.number) end
   from chunk c left join file f on f.jurisdiction = $1 and f.id = c.file_id
   where c.jurisdiction = $1 and (f.batch_id, f.number) is distinct from (c.batch_id, c.file_number)`
)

/** Records that do not belong to a chunk, with its file and batch, of their jurisdiction. */
export const findMisplacedRecords = finder(
  `select r.id as subject, case when c.id is null then format('names the chunk %s, which does not exist', r.chunk_id)
     else format('names another batch or file than its chunk %s', c.id) end as message
   from record r left join chunk c on c.jurisdiction = $1 and c.id = r.chunk_id
   where r.jurisdiction = $1
     and (c.batch_id, c.file_id, c.file_number) is distinct from (r.batch_id, r.file_id, r.file_number)`
)

/** Pages of audit entries that are kept under another chunk than that of their records, where nobody looks for them. */
export const findMisplacedPages = finder(
  `select p.chunk_id as subject, format('holds the entry of record %s, which is of chunk %s', r.id, r.chunk_id) as message
   from audit_page p
   cross join lateral unnest(p.subjects) s(subject_id)
   join record r on r.jurisdiction = $1 and r.id = s.subject_id
   where p.jurisdiction = $1 and r.chunk_id <> p.chunk_id`
)

/** Files whose payload was removed or overwritten without an entry at the end of their chain that says so. */
export const findUntoldPayloads = finder(
  `select f.id as subject, 'has another payload than was received, and its newest entry does not say so' as message
   from file f left join audit_entry e on e.jurisdiction = $1 and e.subject_id = f.id and e.seq = f.audit_seq
   where f.jurisdiction = $1 and (f.payload_removed_at is not null or f.payload_sha256 is not null)
     and coalesce(position(convert_to(case when f.payload_removed_at is not null then '"payload":null'
       else '"payload":"' || encode(f.payload_sha256, 'hex') || '"' end, 'UTF8') in e.entry), 0) = 0`
)

/** Records that were erased and still have values. */
export const findUnerasedValues = finder(
  `select e.record_id as subject, case when r.id is null then 'was erased and does not exist'
     else 'was erased and has values' end as message
   from record_erasure e
   left join record r on r.jurisdiction = $1 and r.id = e.record_id
   left join canonical_record v on v.jurisdiction = $1 and v.profile = r.profile and v.natural_key = r.natural_key
     and v.version = r.version and v.record_id = r.id
   where e.jurisdiction = $1 and (r.id is null or r.salt is not null or r.fields <> '{}' or r.content is not null
     or r.diagnostic is not null or v.content <> '{}'
     or exists (select 1 from record_revision p where p.jurisdiction = $1 and p.record_id = r.id))`
)

/** Chunks whose records are not numbered one by one from the chunk's first. */
export const findItemGaps = finder(
  `select c.id as subject,
     format('%s records from %s to %s, %s of them different; the chunk begins at %s', n.records, n.first, n.last, n.items, c.first_item) as message
   from (
     select chunk_id, count(*) as records, count(distinct item) as items, min(item) as first, max(item) as last
     from record where jurisdiction = $1 group by chunk_id
   ) n
   join chunk c on c.jurisdiction = $1 and c.id = n.chunk_id
   where n.items <> n.records or n.last - n.first + 1 <> n.records or (c.kind = 'rows' and n.first <> c.first_item)`
)

/** Chunks of rows that do not begin where the chunk before them in their file ends. */
export const findChunkGaps = finder(
  `select s.id as subject, format('begins at record %s, expected %s', s.first_item, s.expected) as message
   from (
     select id, first_item, coalesce(lag(first_item + record_count) over (
       partition by batch_id, file_number order by first_item, record_count, id), 1) as expected
     from chunk where jurisdiction = $1 and kind = 'rows'
   ) s where s.first_item <> s.expected`
)
