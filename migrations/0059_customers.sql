-- additive
-- Erased customers are locked, too, but no page of locked customers has them.
drop index customers_locked;
create index customers_locked on customers (created_at, id) where locked_at is not null and erased_at is null;
