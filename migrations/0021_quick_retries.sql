-- A connection keeps the plan of the first update it makes. Made for one row, a join of what was and what is compares each
-- row with each other one, so that running a large batch again took as long as its square. A difference of sets does not.
create or replace function forget_chunk_codes() returns trigger language plpgsql as $$
begin
  update chunk c set codes = null
  from (select distinct jurisdiction, chunk_id from (
      select jurisdiction, id, chunk_id, reasons from new_rows
      except all select jurisdiction, id, chunk_id, reasons from old_rows) different) changed
  where c.jurisdiction = changed.jurisdiction and c.id = changed.chunk_id and c.codes is not null;
  return null;
end
$$;
