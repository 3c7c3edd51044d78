-- additive
-- The limit before it fell because of an overdue installment; null if it did not fall. The limit returns to it at most.
alter table credit_standings add column lowered_from_cents bigint;

update credit_standings s set lowered_from_cents = fallen.limit_cents
from (select customer_id, max(round((facts ->> 'limit')::numeric * 100))::bigint as limit_cents
      from credit_decisions where moment = 'late' group by customer_id) as fallen
where fallen.customer_id = s.customer_id and fallen.limit_cents > s.limit_cents;
