-- A contract is its canonical JSON text, encrypted. The PDF is rendered from the text on the first request and stored. Contracts from
-- before this migration have a PDF and no text.
alter table contracts add column content bytea;
alter table contracts alter column pdf drop not null;
alter table contracts add check (content is not null or pdf is not null);
