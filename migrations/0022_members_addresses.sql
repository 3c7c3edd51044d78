-- additive
-- From where a member's session was last opened or refreshed, as a keyed hash: strangers use up no codes of a known address.
alter table member_sessions add column address bytea;
