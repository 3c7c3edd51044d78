-- additive
-- Whether the policy decides on the first limit once the customer has proved with a code that the phone is theirs: staff registered them
-- without a limit.
alter table customers add column awaits_first_limit boolean not null default false;
