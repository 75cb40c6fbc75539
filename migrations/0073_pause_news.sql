-- Workers learn of a pause at its commit, and not only when they look.
create function tell_pause() returns trigger language plpgsql as $$
begin
  perform pg_notify('docket_jobs', 'pauses');
  return null;
end
$$;
create trigger work_pause_news after insert or update on work_pause
  for each statement execute function tell_pause();
