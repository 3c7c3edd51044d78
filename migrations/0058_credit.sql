-- additive
-- The newest paid purchases come after all open ones in the index of all purchases.
create index checkouts_paid on checkouts (purchased_at desc, hash desc) where late_after = 'infinity';
