import type pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { type Queryable, sql } from '../database/db.ts';
import { CommandFault } from './command.ts';

/** Has the customer first in its key, and is not distributed: some of its rows belong to no customer. */
const STAYS = 'idempotent_answers';

/** Tables of the wallet: customers, and tables with the customer first in their key. */
export async function listWalletTables(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    select relname as name from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and relname <> ${STAYS}
      and (c.relname = 'customers' or (a.attname = 'customer_id' and i.indnatts > 1))
    order by relname <> 'customers', relname`);
  return rows.map(({ name }) => name);
}

/**
 * Distributes the tables of the wallet over the workers of a Citus cluster, by customer. Everything else stays on the
 * coordinator. To be run once, while they are empty.
 */
export async function distribute(url: string, tables: readonly string[]): Promise<void> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'semana distribute' });
  await client.connect();
  try {
    await refuseUnfit(client, tables);
    // For all sessions from now on: our triggers keep a customer's rows consistent on the shards, too.
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
    await client.query(`alter database ${rows[0]!.name} set citus.enable_unsafe_triggers = on`);
    // Settings of a transaction (semana.erasing) reach the shards.
    await client.query(`alter database ${rows[0]!.name} set citus.propagate_set_commands = 'local'`);
    await client.query(
      'set citus.enable_unsafe_triggers = on; set citus.multi_shard_modify_mode = sequential',
    );
    await spread(client, tables);
  } finally {
    await client.end();
  }
}

type ForeignKey = { of: string; name: string; definition: string; to: string };

/** In one transaction. */
async function spread(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition,
            confrelid::regclass::text as to
     from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)`,
    [tables],
  );
  await client.query('begin');
  for (const { of, name } of keys) await client.query(`alter table ${of} drop constraint ${name}`);
  for (const table of tables) {
    const [column, beside] = table === 'customers' ? ['id', 'none'] : ['customer_id', 'customers'];
    await client.query(
      `select create_distributed_table('${table}', '${column}', colocate_with => '${beside}')`,
    );
  }
  // Foreign keys between a customer's own rows hold on each shard. References to the coordinator's tables are checked by the code
  // that writes them.
  for (const { of, name, definition, to } of keys)
    if (tables.includes(to)) await client.query(`alter table ${of} add constraint ${name} ${definition}`);
  await client.query('commit');
}

async function refuseUnfit(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: citus } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (citus.length === 0)
    throw new CommandFault(
      `This database has no Citus. On the coordinator and on every worker: create the database, 'create extension citus' in it, then on the coordinator citus_set_coordinator_host and citus_add_node for each worker.`,
    );
  const { rows: workers } = await client.query(
    `select from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`,
  );
  if (workers.length === 0)
    throw new CommandFault(`The cluster has no workers: add them with citus_add_node('HOST', PORT).`);
  const { rows: done } = await client.query(`select from pg_dist_partition where partmethod = 'h'`);
  if (done.length > 0) throw new CommandFault('The wallet is distributed already: there is nothing to do.');
  for (const table of tables) {
    const { rows } = await client.query(`select from ${table} limit 1`);
    if (rows.length > 0)
      throw new CommandFault(
        `${table} has rows. Only an empty database can be distributed: make a new one, run 'semana migrate' and 'semana distribute' on it before the first start, and copy the data into it (docs/scale.md).`,
      );
  }
}
