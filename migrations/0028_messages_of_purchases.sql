-- additive
-- Who was told of what happened to a purchase.

-- The purchases that a message is about: found among the messages of their customer.
alter table messages add column checkouts text[] not null default '{}';
update messages m set checkouts = k.checkouts
from (
  select s.customer_id, s.message_id, array_agg(distinct s.hash) as checkouts
  from (
    select s.customer_id, s.message_id,
           case when s.template in ('offer_accepted', 'returned') then split_part(s.about, ' ', 1)
                else coalesce(i.checkout_hash, a.checkout_hash, r.checkout_hash) end as hash
    from message_subjects s
    left join installments i on i.customer_id = s.customer_id and i.id = split_part(s.about, ' ', 1)
    left join pix_authorisations a on a.customer_id = s.customer_id and a.id = s.about
    left join receipts r on r.customer_id = s.customer_id and r.reference = s.about and r.part = 0
    where s.template in ('offer_accepted', 'returned', 'reminder', 'extended', 'autopay_failed', 'payment_received')
  ) as s
  where s.hash is not null group by s.customer_id, s.message_id
) as k
where m.customer_id = k.customer_id and m.id = k.message_id;

-- An event is found for all partners that were told of it. Ids grow with time.
alter table partner_events
  drop constraint partner_events_partner_id_id_key,
  add constraint partner_events_id_partner_id_key unique (id, partner_id);
