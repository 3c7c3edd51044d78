-- additive
-- The figures of a past day while a job computes them, customer by customer.
create table credit_day_progress (
  day date primary key,
  figures jsonb not null,
  computed_up_to text not null,
  customers int not null,
  all_customers int not null
);
