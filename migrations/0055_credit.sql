-- additive
-- The merchant's own data about an offer.
alter table offers add column metadata jsonb not null default '{}';
drop trigger offers_append_only on offers;
create trigger offers_append_only before truncate or update of
    id, merchant_id, merchant_slug, merchant_name, phone_sealed, phone_hash, token_hash, code_hash, claim_sealed, reference, description,
    items, metadata, return_url, amount_cents, installments, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm,
    extension_days, extension_limit, cashback_ppm, merchant_fee_ppm, payout_days, created_at
  on offers for each statement execute function append_only('erasable');
