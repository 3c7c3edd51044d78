-- What offers say is in the outbox of messages: see docs/messages.md.
alter table offers drop column message;
alter table offers add check ((phone_sealed is null) = (phone_hash is null));

-- Who has something due on a day: reminders.
create index installments_due on installments (due_on, customer_id) where paid_at is null;
create index installments_late on installments (effective_due_on, customer_id) where paid_at is null;
