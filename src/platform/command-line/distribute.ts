import type pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { type Queryable, sql } from '../database/db.ts';
import { CommandError } from './command.ts';

/** The key of this table begins with the customer, but some of its rows belong to no customer, so it is not distributed. */
const UNDISTRIBUTED_TABLE = 'idempotent_answers';

/** Lists the tables of the wallet: first customers, then the tables whose key begins with the customer. */
export const listWalletTables = (db: Queryable) =>
  db.values<string>(sql`
    select relname as name from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and relname <> ${UNDISTRIBUTED_TABLE}
      and (c.relname = 'customers' or (a.attname = 'customer_id' and i.indnatts > 1))
    order by relname <> 'customers', relname`);

/** Distributes the wallet over the workers of a Citus cluster, by customer. Run it once, while the tables are empty. */
export async function distribute(url: string, tables: readonly string[]): Promise<void> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'semana distribute' });
  await client.connect();
  try {
    await requireEmptyCitusDatabase(client, tables);
    const {
      rows: [database],
    } = await client.query<{ quoted_name: string }>('select quote_ident(current_database()) as quoted_name');
    // Settings of the database apply to all later sessions. Our triggers keep a customer's rows consistent on the shards, too.
    await client.query(`alter database ${database!.quoted_name} set citus.enable_unsafe_triggers = on`);
    // Citus passes settings of a transaction (semana.erasing) on to the shards.
    await client.query(`alter database ${database!.quoted_name} set citus.propagate_set_commands = 'local'`);
    await client.query(
      'set citus.enable_unsafe_triggers = on; set citus.multi_shard_modify_mode = sequential',
    );
    await distributeTables(client, tables);
  } finally {
    await client.end();
  }
}

type ForeignKey = { table_name: string; name: string; definition: string; referenced_table: string };

async function distributeTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: foreignKeys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table_name, conname as name, pg_get_constraintdef(oid) as definition,
            confrelid::regclass::text as referenced_table
     from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)`,
    [tables],
  );
  await client.query('begin');
  for (const { table_name, name } of foreignKeys)
    await client.query(`alter table ${table_name} drop constraint ${name}`);
  for (const table of tables) {
    const [distributionColumn, colocatedWith] =
      table === 'customers' ? ['id', 'none'] : ['customer_id', 'customers'];
    await client.query(
      `select create_distributed_table('${table}', '${distributionColumn}', colocate_with => '${colocatedWith}')`,
    );
  }
  // Foreign keys hold on each shard between rows of one customer only. Others are checked by the code that writes them.
  for (const { table_name, name, definition, referenced_table } of foreignKeys)
    if (tables.includes(referenced_table))
      await client.query(`alter table ${table_name} add constraint ${name} ${definition}`);
  await client.query('commit');
}

async function requireEmptyCitusDatabase(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: citusExtensions } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (citusExtensions.length === 0)
    throw new CommandError(
      `This database does not have Citus. On the coordinator and on every worker: create the database, 'create extension citus' in it, then on the coordinator citus_set_coordinator_host and citus_add_node for each worker.`,
    );
  const { rows: workers } = await client.query(
    `select from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`,
  );
  if (workers.length === 0)
    throw new CommandError(`The cluster has no workers: add them with citus_add_node('HOST', PORT).`);
  const { rows: distributedTables } = await client.query(
    `select from pg_dist_partition where partmethod = 'h'`,
  );
  if (distributedTables.length > 0) throw new CommandError('The wallet is already distributed.');
  for (const table of tables) {
    const { rows } = await client.query(`select from ${table} limit 1`);
    if (rows.length > 0)
      throw new CommandError(
        `${table} has rows. Only an empty database can be distributed: create a new one, run 'semana migrate' and 'semana distribute' on it before the first start, and copy the data into it (docs/scale.md).`,
      );
  }
}
