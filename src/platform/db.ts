import { createHash } from 'node:crypto';
import pg from 'pg';

// int8 as number (ours stay below 2^53), date as the 'YYYY-MM-DD' it is.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** A statement with its values; made only by the `sql` tag, so that values never become SQL text. */
export type Sql = { readonly text: string; readonly values: unknown[]; readonly name: string };

const prepared = new WeakMap<TemplateStringsArray, { text: string; name: string }>();

/** sql`select ... where id = ${id}`: each place in the source is one named prepared statement. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  let statement = prepared.get(strings);
  if (!statement) {
    const text = strings.reduce((all, part, i) => `${all}$${i}${part}`);
    statement = { text, name: createHash('sha1').update(text).digest('base64url') };
    prepared.set(strings, statement);
  }
  return { ...statement, values };
}

/** What can run a statement: the pool, or a transaction. */
export type Queryable = {
  rows<R>(statement: Sql): Promise<R[]>;
  /** The only row, or undefined. */
  row<R>(statement: Sql): Promise<R | undefined>;
  /** Runs it and says how many rows it touched. */
  run(statement: Sql): Promise<number>;
};

declare const inTransaction: unique symbol;
/** Statements on this one commit or roll back together. */
export type Tx = Queryable & { readonly [inTransaction]: true };

export type Db = Queryable & {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** The database cannot be reached, or did not answer in time: the caller may try again. */
export class DatabaseAway extends Error {}

export type DbOptions = {
  url: string;
  poolSize: number;
  label: string;
  onIdleError?: (error: Error) => void;
};

export function openDb(options: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: options.label,
  });
  // Without a listener a connection that dies while idle would end the process; the pool just replaces it.
  pool.on('error', (error) => options.onIdleError?.(error));

  return {
    ...queryable((statement) => pool.query({ ...statement })),
    async transaction(work) {
      const client = await pool.connect().catch(rethrow);
      let broken: Error | undefined;
      // Taken out of the pool, a connection has nobody else who listens for its end, and that would end the process.
      const lost = (error: Error) => {
        broken = error;
      };
      client.on('error', lost);
      try {
        await client.query('begin').catch(rethrow);
        const result = await work(queryable((statement) => client.query({ ...statement })) as Tx);
        await client.query('commit').catch(rethrow);
        return result;
      } catch (error) {
        await client.query('rollback').catch(lost);
        throw error;
      } finally {
        // A connection that could not even roll back is thrown away, never handed to somebody else.
        client.release(broken);
        if (!broken) client.off('error', lost);
      }
    },
    close: () => pool.end(),
  };
}

function queryable(query: (statement: Sql) => Promise<pg.QueryResult>): Queryable {
  return {
    rows: async <R>(statement: Sql) => (await query(statement).catch(rethrow)).rows as R[],
    row: async <R>(statement: Sql) => (await query(statement).catch(rethrow)).rows[0] as R | undefined,
    run: async (statement: Sql) => (await query(statement).catch(rethrow)).rowCount ?? 0,
  };
}

function rethrow(error: unknown): never {
  throw isAway(error) ? new DatabaseAway('The database is away.', { cause: error }) : error;
}

const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const AWAY_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/;

/** Class 08 (connection), 57P0x (shutdown), 53300 (too many), 57014 (our own statement timeout). */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as Error & { code?: string }).code ?? '';
  return AWAY_CODES.has(code) || /^(08|57P0|53300|57014)/.test(code) || AWAY_MESSAGES.test(error.message);
}
