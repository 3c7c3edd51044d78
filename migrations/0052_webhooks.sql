-- additive
-- The latest HTTP exchange of a delivery, for the partner's developers: URL and headers as sent, and the response. The body that was sent is
-- rendered from the event.
alter table webhook_deliveries add column last_exchange jsonb;
-- The scopes of the key that registered the endpoint, if it is not bound to a merchant: the endpoint gets the events that this key reads.
alter table webhook_endpoints add column scopes text[];
alter table webhook_endpoints
  drop constraint webhook_endpoints_disabled_reason_check,
  add constraint webhook_endpoints_disabled_reason_check check (disabled_reason in ('operator', 'partner', 'gone', 'failing'));
