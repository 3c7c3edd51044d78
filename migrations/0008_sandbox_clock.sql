-- Sandbox only: how far the time of all nodes is from real time. No row: not at all.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null,
  revision bigint not null
);

create function sandbox_clock_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('semana_changes', 'clock ' || new.revision || ' ' || new.offset_ms);
  return null;
end $$;
create trigger sandbox_clock_notify after insert or update on sandbox_clock
  for each row execute function sandbox_clock_notify();
