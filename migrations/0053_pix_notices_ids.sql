-- The ids that a callback mentions, in lower case, so that an export or an erasure finds those about a customer without decrypting all.
-- Null: a callback of an earlier release whose ids are not listed yet, which the housekeeping does. The version of the key becomes
-- part of the ciphertext, as in other tables.
alter table pix_notices add column psp_ids text[];
update pix_notices set sealed = int4send(key_version) || sealed;
alter table pix_notices drop column key_version;
create index pix_notices_by_psp_id on pix_notices using gin (psp_ids);
create index pix_notices_unlisted on pix_notices (id) where psp_ids is null;
