-- additive
-- An authorisation whose code was shown is never discarded: it ends, and its customer and partners are notified.
update pix_authorisations set status = 'ended', ended_by = 'service', reason = 'replaced'
where status = 'discarded' and br_code is not null;
alter table pix_authorisations
  add constraint pix_authorisations_discarded check (status <> 'discarded' or br_code is null);
