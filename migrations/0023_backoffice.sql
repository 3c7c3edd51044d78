-- additive
-- What the back office keeps for the operator's people.

-- Lists with a filter, under a name.
create table saved_views (
  id text primary key,
  person_id text not null,
  -- The operation that lists: 'listCustomers'
  list text not null,
  name text not null,
  -- The filter as in the address: 'status=locked&sort=oldest'
  query text not null,
  saved_at timestamptz not null,
  unique (person_id, list, name)
);

-- What people wrote about a customer. A correction is another note.
create table customer_notes (
  customer_id text not null references customers,
  id text not null,
  -- The person, or 'command line' and the account on the machine.
  author text not null,
  -- Sealed, bound to the id; null once the customer was erased.
  text bytea,
  written_at timestamptz not null,
  primary key (customer_id, id)
);
create trigger customer_notes_append_only before update or delete or truncate on customer_notes
  for each statement execute function append_only('erasable');
