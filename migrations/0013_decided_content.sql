-- Which record, decided about by a person, speaks for a content: the same content sent again ends as that one did.
create table decided_content (
  jurisdiction text collate "C" not null,
  idempotency_key bytea not null,
  record_id uuid not null,
  primary key (jurisdiction, idempotency_key)
);
insert into decided_content (jurisdiction, idempotency_key, record_id)
select distinct on (jurisdiction, idempotency_key) jurisdiction, idempotency_key, id
from record where state in ('accepted', 'rejected') and decision ->> 'action' in ('release', 'reject')
order by jurisdiction, idempotency_key, updated_at desc;
