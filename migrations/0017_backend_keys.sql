-- A backend calls for many consumers from one address: its header x-client-ip names the address that limits count.
alter table api_keys add column backend boolean not null default false;

drop trigger api_keys_notify on api_keys;
create trigger api_keys_notify
  after insert or delete or truncate
    or update of hash, scopes, allowed_origins, requests_per_minute, backend, expires_at, revoked_at on api_keys
  for each statement execute function notify_change('keys');
