-- additive
-- A reward waits for a staff user if the referrer got several for purchases at the same merchant.
alter table invitations
  -- Where the invited customer had paid the most when the reward was due.
  add column merchant_id bigint,
  add column held_at timestamptz,
  add column reward_outcome text check (reward_outcome in ('approved', 'refused')),
  add check (held_at is null or (rewarded_at is null and merchant_id is not null));
create index invitations_held on invitations (invited_at desc, invited_id desc) where held_at is not null;
create index invitations_refused on invitations (invited_at desc, invited_id desc) where reward_outcome = 'refused';
