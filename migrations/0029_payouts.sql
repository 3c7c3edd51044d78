-- additive
-- For who has the bank's reference of a payout.
create index payouts_by_reference on payouts (reference) where reference is not null;
