-- additive
-- A payout keeps the account it was made with. Closed payouts of before have none: the account may have changed since.
alter table payouts add column pix_key text, add column holder_name text, add column tax_id text;
update payouts p set pix_key = a.pix_key, holder_name = a.holder_name, tax_id = a.tax_id
from payout_accounts a
where a.merchant_id = p.merchant_id and p.status = 'pending';
