-- additive
-- One index instead of two. It also holds what the report of cohorts sums up, so that it need not read the table.
create index installments_late_sums on installments (effective_due_on, customer_id)
  include (outstanding_cents, agreed_due_on, number) where paid_at is null;
drop index installments_late;
drop index installments_unpaid;
