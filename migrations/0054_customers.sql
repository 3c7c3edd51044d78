-- additive
-- The partner that requested the code. In the sandbox its developers may read the code.
alter table login_challenges add column partner_id text;
