-- additive
-- Four indexes fewer to write for each message. The id of a message holds its time of creation, so that `messages_pkey` sorts the
-- messages of a customer, and `messages_newest_first` finds a message by its id. The subjects
-- of a message are found among those of its customer by `message_subjects_pkey`.
drop index messages_by_age;
drop index messages_by_creation;
drop index messages_by_id;
drop index message_subjects_of_message;
