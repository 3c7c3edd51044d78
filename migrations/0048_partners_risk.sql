-- additive
-- The role `risk` of staff users, for their keys.
alter table api_keys drop constraint api_keys_role_check;
alter table api_keys add constraint api_keys_role_check
  check (role in ('viewer', 'content', 'support', 'risk', 'finance', 'admin'));
