-- additive
-- The role `risk` sets limits and the credit policy.
alter table staff_members drop constraint staff_members_role_check;
alter table staff_members add constraint staff_members_role_check
  check (role in ('viewer', 'content', 'support', 'risk', 'finance', 'admin'));
