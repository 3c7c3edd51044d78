import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';

// Statements for sql-types.test.ts, which are never run. The comments before a statement are the mismatches that the test expects.

export async function runExamples(
  db: Queryable,
  tx: Tx,
  id: string,
  instant: Date,
  ids: number[],
): Promise<void> {
  await db.rows<{ id: string; locked_at: Date | null }>(sql`select id, locked_at from customers`);

  // column "no_such" does not exist
  await db.rows<{ id: string }>(sql`select id, no_such from customers`);

  // relation "no_such" does not exist
  await db.run(sql`delete from no_such`);

  // there is no column name
  await db.rows<{ id: string; name: string }>(sql`select id from customers`);

  // credit_limit_cents is bigint, not string
  await db.rows<{ credit_limit_cents: string }>(sql`select credit_limit_cents from customers`);

  // total is numeric, not number | null
  await db.row<{ total: number | null }>(sql`select sum(credit_limit_cents) as total from customers`);

  // ids is bigint[], not number[]
  await db.row<{ ids: number[] }>(sql`select array(select position from events) as ids`);

  // creation is json, not { at: Date; }
  await db.row<{ creation: { at: Date } }>(sql`select json_build_object('at', now()) as creation`);

  // locked_at can be null, and Date cannot
  await db.rows<{ locked_at: Date }>(sql`select locked_at from customers`);

  await db.rows<{ locked_at: Date }>(sql`select locked_at from customers where locked_at is not null`);

  // earliest_creation can be null, and Date cannot
  await db.row<{ earliest_creation: Date }>(sql`select min(created_at) as earliest_creation from customers`);

  // hash can be null, and string cannot
  await db.rows<{ id: string; hash: string }>(sql`
    select c.id, o.hash from customers c left join checkouts o on o.customer_id = c.id`);

  await db.rows<{ id: string } & ({ hash: string } | { hash: null })>(sql`
    select c.id, o.hash from customers c left join checkouts o on o.customer_id = c.id`);

  // hash can be null, and string cannot
  await db.rows<{ hash: string }>(sql`
    with found as (select o.hash from customers c left join checkouts o on o.customer_id = c.id) select hash from found`);

  // reference can be null, and string cannot
  await tx.row<{ reference: string }>(sql`update offers set status = ${id} returning reference`);

  // $1 is timestamp with time zone, and `id` is string
  await db.run(sql`update customers set locked_at = ${id}`);

  // $1 is text[], and `ids` is number[]
  await db.run(sql`delete from customers where id = any(${ids})`);

  // $1 is jsonb, and `ids` is number[]
  await db.run(sql`update events set data = ${ids}`);

  // column "no_such" does not exist
  await db.run(
    sql`delete from customers where ${instant > new Date() ? sql`id = ${id}` : sql`no_such = ${id}`}`,
  );

  // column "no_such" does not exist
  await findOne<{ id: string }>(db, sql`no_such`);

  // there is no column name
  await findOne<{ name: string }>(db, sql`id`);

  await tx.run(sql`insert into pix_txids ${txids.values({ txid: id, customer_id: id, charge_id: id })}`);

  await tx.rows<RowOf<typeof txids>>(sql`
    insert into pix_txids ${txids.valuesFromJson([])} on conflict (txid) do update set ${txids.excluded} returning *`);

  await db.rows<RowOf<typeof txids>>(sql`select ${txids.selectFrom('t')} from pix_txids t`);

  await db.rows<{ found: object }>(
    sql`select json_build_object(${txids.jsonPairs('t')}) as found from pix_txids t`,
  );

  // column t.no_such does not exist
  await db.rows<{ no_such: string }>(
    sql`select ${columns({ no_such: column.text() }).selectFrom('t')} from pix_txids t`,
  );

  // txid is text, not date
  await db.rows<{ txid: string }>(
    sql`select ${columns({ txid: column.date() }).selectFrom('t')} from pix_txids t`,
  );

  // customer_id can be null, and string cannot
  await db.rows<RowOf<typeof txids>>(sql`
    select ${columns({ customer_id: column.text() }).selectFrom('t')}, t.charge_id, t.end_to_end_id as txid
    from pix_end_to_end_ids t where t.charge_id is not null`);

  // column "no_such" of relation "media" does not exist
  await tx.run(sql`insert into media ${columns({ no_such: column.text() }).values({ no_such: id })}`);

  // column "no_such" of relation "pix_txids" does not exist
  await tx.run(sql`insert into pix_txids ${columns({ no_such: column.text() }).valuesFromJson([])}`);

  // size is integer, not text
  // $1 is integer, and `size` is string
  await tx.run(sql`insert into media ${columns({ size: column.text() }).values({ size: id })}`);

  // txid is text, not bigint
  await tx.run(sql`insert into pix_txids ${columns({ txid: column.bigint() }).valuesFromJson([])}`);

  // txid cannot be null
  await tx.run(sql`insert into pix_txids ${columns({ txid: column.text().nullable() }).valuesFromJson([])}`);

  await db.values<string>(sql`select txid from pix_txids`);

  // there are 2 columns, not one
  await db.values<string>(sql`select txid, charge_id from pix_txids`);

  // the value is timestamp with time zone, not string
  await db.value<string>(sql`select created_at from pix_charges`);

  // the value can be null, and string cannot
  await db.values<string>(sql`select charge_id from pix_end_to_end_ids`);

  // rows that are batched have to name their customer_id or batch_key
  await tx.rows<{ hash: string }>(batched({ customerId: id }));
}

const txids = columns({ txid: column.text(), customer_id: column.text(), charge_id: column.text() });

const findOne = <R>(db: Queryable, column: Sql): Promise<R | undefined> =>
  db.row<R>(sql`select ${column} from customers`);

const batched = batchable(
  (rows, owner) => sql`
    select c.hash from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as input (customer_id)
    join checkouts c on c.customer_id = ${owner}`,
);
