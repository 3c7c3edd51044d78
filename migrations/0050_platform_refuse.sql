-- additive
-- Refuses a statement that counts something against a limit: its rows and those of its transaction are rolled back. `rows` says which
-- limits are reached, for the service.
create function refuse(rows text) returns text language plpgsql as $$
begin
  raise exception 'a limit is reached' using errcode = 'SM429', detail = rows;
end $$;
