-- additive
-- Return files of banks name a payout by its bank number: the end of its id.
create index payouts_by_bank_number on payouts (right(id, 20));
