import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import pg from 'pg';
import { dumpSchemaSql } from './schema-sql.ts';

/** A database as text, without its jobs. Written by this program, because the embedded PostgreSQL has no pg_dump. */
type Dump = {
  schema: string;
  /** The rows of each table as a JSON array in text form, because JavaScript would lose digits of large numbers. */
  tables: Record<string, string>;
  /** The last value of each sequence. */
  sequences: Record<string, string>;
};

/** Dumps a database as compressed JSON. */
export async function dumpDatabase(url: string): Promise<Buffer> {
  return withClient(url, async (client) => {
    const schema = await dumpSchemaSql(url);
    await client.query('begin isolation level repeatable read read only');
    const dump: Dump = { schema, tables: {}, sequences: {} };
    for (const table of await listTables(client)) {
      const { rows } = await client.query<{ text: string }>(
        `select coalesce(json_agg(t), '[]')::text as text from ${table} t`,
      );
      dump.tables[table] = rows[0]!.text;
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      `select quote_ident(sequencename) as name, last_value::text as value from pg_sequences
       where schemaname = 'public' and last_value is not null order by 1`,
    );
    for (const { name, value } of sequences) dump.sequences[name] = value;
    return promisify(zstdCompress)(JSON.stringify(dump));
  });
}

/** Restores a dump into an empty database. */
export async function restoreDump(url: string, bytes: Buffer): Promise<void> {
  const { schema, tables, sequences } = JSON.parse(String(await promisify(zstdDecompress)(bytes))) as Dump;
  await withClient(url, async (client) => {
    await client.query(`begin; ${schema}`);
    // No triggers and no foreign key checks: rows are inserted as they were.
    await client.query(`set local session_replication_role = 'replica'`);
    for (const [table, text] of Object.entries(tables)) {
      const columns = await listColumns(client, table);
      await client.query(
        `insert into ${table} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
        [text],
      );
    }
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [name, value]);
    await client.query('commit');
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname collate "C"`,
  );
  return rows.map(({ name }) => name);
}

/** Returns the columns of a table that are not generated, separated by commas. */
async function listColumns(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]!.names;
}
