-- Workers and their last sign of life: what a worker that was killed left on a disk is removed by this, and by nothing else.
create table worker (
  id uuid primary key,
  host text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
