-- Work that an operator holds back: of a jurisdiction, of a lane, or of a lane of a jurisdiction. In force until it is
-- resumed; who, when and why stay on record for both.
create table work_pause (
  id uuid primary key,
  -- Null: of all of them.
  jurisdiction text collate "C",
  lane text check (lane in ('critical', 'standard', 'maintenance')),
  reason text not null,
  paused_by text not null,
  paused_at timestamptz not null default now(),
  resumed_by text,
  resumed_at timestamptz,
  resume_reason text,
  check (jurisdiction is not null or lane is not null),
  check ((resumed_at is null) = (resumed_by is null) and (resumed_at is null) = (resume_reason is null))
);
create unique index work_pause_in_force on work_pause (coalesce(jurisdiction, ''), coalesce(lane, ''))
  where resumed_at is null;

create function refuse_pause_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.resumed_at is null and new.resumed_at is not null
    and (new.id, new.reason, new.paused_by, new.paused_at) = (old.id, old.reason, old.paused_by, old.paused_at)
    and new.jurisdiction is not distinct from old.jurisdiction and new.lane is not distinct from old.lane then
    return new;
  end if;
  raise exception 'work_pause keeps its history: % refused', tg_op using errcode = '42501';
end
$$;
create trigger work_pause_keeps_history before update or delete on work_pause
  for each row execute function refuse_pause_change();
create trigger work_pause_no_truncate before truncate on work_pause
  for each statement execute function refuse_change();
