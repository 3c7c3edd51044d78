-- additive
-- A new account of a merchant's own wish waits for a day: where it is to be paid, who asked for it and when. A merchant of which no
-- account is known yet may have a change that waits.
alter table payout_accounts
  alter column pix_key drop not null,
  alter column holder_name drop not null,
  alter column tax_id drop not null,
  add column change jsonb,
  add column change_counts_at timestamptz,
  add check (num_nonnulls(pix_key, holder_name, tax_id) in (0, 3)),
  add check ((change is null) = (change_counts_at is null));
create index payout_accounts_to_change on payout_accounts (change_counts_at) where change_counts_at is not null;
