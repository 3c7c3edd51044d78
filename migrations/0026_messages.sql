-- additive
-- Checked when the transaction commits: on a cluster the parts of a statement run one after the other, what a message is about before the
-- message itself.
alter table message_subjects
  drop constraint message_subjects_customer_id_message_id_fkey,
  add constraint message_subjects_customer_id_message_id_fkey foreign key (customer_id, message_id)
    references messages (customer_id, id) on delete cascade deferrable initially deferred;
