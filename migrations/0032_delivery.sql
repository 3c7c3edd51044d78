-- additive
-- Fewer index entries for each event. `partner_events_by_time` finds the oldest events of a partner. Merchants' events are kept for two
-- days and written in the order of their age: ranges of pages are enough to find the old ones.
drop index partner_events_by_age;
drop index merchant_events_by_age;
create index merchant_events_by_age on merchant_events using brin (occurred_at) with (pages_per_range = 16);
