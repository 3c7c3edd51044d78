-- additive
-- Sums of all purchases, for the reports of today. Triggers queue every change of a purchase or installment, and a job adds the queue
-- to the sums, so that no transaction waits for another one at a shared row.

-- A queued change: of a purchase, with late_after, of an installment, with its due days, or the installments of a new purchase. The amounts
-- are signed: the values before the change are subtracted, and the values after it added.
create table credit_changes (
  customer_id text not null,
  position bigint generated always as identity,
  -- The Monday of the week of the purchase.
  week date not null,
  late_after date,
  is_returned boolean not null default false,
  effective_due_on date,
  due_on date,
  -- Purchases, or installments with an outstanding amount.
  item_count bigint not null,
  financed_cents bigint not null default 0,
  total_cents bigint not null,
  paid_cents bigint not null default 0,
  returned_cents bigint not null,
  outstanding_cents bigint not null,
  written_off_count bigint not null default 0,
  written_off_cents bigint not null,
  -- One row for all of them, so that a purchase on credit costs two rows, however many weeks it has.
  new_installments jsonb,
  primary key (customer_id, position)
);

-- Which day and week a sum is about depends on its kind. The day '-infinity' has the sums of all days before the floor.
create table credit_sums (
  kind text not null check (kind in ('cohort', 'status', 'returned', 'late', 'age', 'due')),
  day date not null,
  week date not null,
  item_count bigint not null,
  financed_cents bigint not null,
  total_cents bigint not null,
  paid_cents bigint not null,
  returned_cents bigint not null,
  outstanding_cents bigint not null,
  written_off_count bigint not null,
  written_off_cents bigint not null,
  primary key (kind, day, week)
) with (fillfactor = 50);

-- Without a row the sums are not computed yet. A job computes them, customer by customer.
create table credit_sums_progress (
  only_row boolean primary key default true check (only_row),
  floor_day date not null,
  -- The last customer whose purchases the sums include; null: all customers.
  computed_up_to text,
  customers int not null,
  all_customers int not null
);

create function checkouts_queue_change() returns trigger language plpgsql as $$
declare
  purchase_week constant date := date_trunc('week', new.purchased_at at time zone 'America/Sao_Paulo');
  written_off_sign constant int := (new.written_off_at is not null)::int;
begin
  insert into credit_changes (customer_id, week, late_after, is_returned, item_count, financed_cents, total_cents, paid_cents,
                              returned_cents, outstanding_cents, written_off_count, written_off_cents)
  values (new.customer_id, purchase_week, new.late_after, new.returned_at is not null, 1, new.financed_cents, new.total_cents,
          new.paid_cents, new.returned_cents, new.outstanding_cents, written_off_sign, written_off_sign * new.outstanding_cents);
  if tg_op = 'INSERT' then return null; end if;
  insert into credit_changes (customer_id, week, late_after, is_returned, item_count, financed_cents, total_cents, paid_cents,
                              returned_cents, outstanding_cents, written_off_count, written_off_cents)
  values (old.customer_id, purchase_week, old.late_after, old.returned_at is not null, -1, -old.financed_cents, -old.total_cents,
          -old.paid_cents, -old.returned_cents, -old.outstanding_cents, -(old.written_off_at is not null)::int,
          case when old.written_off_at is null then 0 else -old.outstanding_cents end);
  if (old.written_off_at is null) <> (new.written_off_at is null) then
    insert into credit_changes (customer_id, week, effective_due_on, due_on, item_count, total_cents, returned_cents, outstanding_cents,
                                written_off_cents)
    select customer_id, purchase_week, effective_due_on, due_on, 0, 0, 0, 0, (2 * written_off_sign - 1) * outstanding_cents
    from installments
    where customer_id = new.customer_id and checkout_hash = new.hash and outstanding_cents > 0;
  end if;
  return null;
end $$;
create trigger checkouts_queue_inserted after insert on checkouts for each row execute function checkouts_queue_change();
create trigger checkouts_queue_updated
  after update of paid_cents, returned_cents, returned_at, outstanding_cents, late_after, written_off_at on checkouts for each row
  when ((old.paid_cents, old.returned_cents, old.returned_at is null, old.outstanding_cents, old.late_after, old.written_off_at is null)
        <> (new.paid_cents, new.returned_cents, new.returned_at is null, new.outstanding_cents, new.late_after, new.written_off_at is null))
  execute function checkouts_queue_change();

create function installments_queue_new() returns trigger language plpgsql as $$
declare
  purchase record;
begin
  for purchase in
    select customer_id, min(date_trunc('week', agreed_due_on - 7 * number))::date as week,
           jsonb_agg(jsonb_build_object(
             'effective_due_on', effective_due_on, 'due_on', due_on, 'amount_cents', amount_cents,
             'returned_cents', returned_cents, 'outstanding_cents', outstanding_cents)) as installments
    from added group by customer_id, checkout_hash
  loop
    insert into credit_changes (customer_id, week, item_count, total_cents, returned_cents, outstanding_cents, written_off_cents,
                                new_installments)
    values (purchase.customer_id, purchase.week, 0, 0, 0, 0, 0, purchase.installments);
  end loop;
  return null;
end $$;
create trigger installments_queue_inserted after insert on installments referencing new table as added
  for each statement execute function installments_queue_new();

create function installments_queue_change() returns trigger language plpgsql as $$
declare
  purchase_week constant date := date_trunc('week', new.agreed_due_on - 7 * new.number);
  written_off_sign constant int := (exists (
    select from checkouts where customer_id = new.customer_id and hash = new.checkout_hash and written_off_at is not null))::int;
begin
  if old.effective_due_on = new.effective_due_on and old.due_on = new.due_on then
    insert into credit_changes (customer_id, week, effective_due_on, due_on, item_count, total_cents, returned_cents,
                                outstanding_cents, written_off_cents)
    values (new.customer_id, purchase_week, new.effective_due_on, new.due_on,
            (new.outstanding_cents > 0)::int - (old.outstanding_cents > 0)::int, 0, new.returned_cents - old.returned_cents,
            new.outstanding_cents - old.outstanding_cents, written_off_sign * (new.outstanding_cents - old.outstanding_cents));
    return null;
  end if;
  insert into credit_changes (customer_id, week, effective_due_on, due_on, item_count, total_cents, returned_cents, outstanding_cents,
                              written_off_cents)
  values (new.customer_id, purchase_week, new.effective_due_on, new.due_on, (new.outstanding_cents > 0)::int, new.amount_cents,
          new.returned_cents, new.outstanding_cents, written_off_sign * new.outstanding_cents),
         (old.customer_id, purchase_week, old.effective_due_on, old.due_on, -(old.outstanding_cents > 0)::int, -old.amount_cents,
          -old.returned_cents, -old.outstanding_cents, -written_off_sign * old.outstanding_cents);
  return null;
end $$;
create trigger installments_queue_updated
  after update of due_on, effective_due_on, returned_cents, outstanding_cents on installments for each row
  when ((old.due_on, old.effective_due_on, old.returned_cents, old.outstanding_cents)
        <> (new.due_on, new.effective_due_on, new.returned_cents, new.outstanding_cents))
  execute function installments_queue_change();

-- Only the report of weeks read it.
drop index installments_by_due_day;
