import { createHash } from 'node:crypto';
import pg from 'pg';
import { Announcer } from './announcer.ts';

// int8 as number (ours stay below 2^53), date as the 'YYYY-MM-DD' it is.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

type Prepared = { readonly text: string; readonly name: string };
export type Statement = Prepared & { readonly values: unknown[] };

/** A statement with its values, or a part of one; made only by the `sql` tag, so that values never become SQL text. */
export class Sql implements Statement {
  readonly text: string;
  readonly name: string;
  readonly strings: readonly string[];
  readonly values: unknown[];

  constructor({ text, name }: Prepared, strings: readonly string[], values: unknown[]) {
    this.text = text;
    this.name = name;
    this.strings = strings;
    this.values = values;
  }
}

const prepared = new WeakMap<TemplateStringsArray, Prepared>();
const composed = new Map<string, Prepared>();

/**
 * sql`select ... where id = ${id}`: each place in the source is one named prepared statement. A value that is itself made by
 * `sql` becomes a part of the statement: what one module offers to be read together with what another asks for.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some((value) => value instanceof Sql)) return compose(strings, values);
  let statement = prepared.get(strings);
  if (!statement) {
    statement = prepare(strings);
    prepared.set(strings, statement);
  }
  return new Sql(statement, strings, values);
}

function compose(strings: TemplateStringsArray, given: unknown[]): Sql {
  const parts = [strings[0]!];
  const values: unknown[] = [];
  for (const [i, value] of given.entries()) {
    const inner = value instanceof Sql ? value : { strings: ['', ''], values: [value] };
    parts.push(`${parts.pop()}${inner.strings[0]}`, ...inner.strings.slice(1));
    parts.push(`${parts.pop()}${strings[i + 1]}`);
    values.push(...inner.values);
  }
  const key = parts.join('\0');
  let statement = composed.get(key);
  if (!statement) {
    statement = prepare(parts);
    composed.set(key, statement);
  }
  return new Sql(statement, parts, values);
}

function prepare(strings: readonly string[]): Prepared {
  const text = strings.reduce((all, part, i) => `${all}$${i}${part}`);
  return { text, name: createHash('sha1').update(text).digest('base64url') };
}

/** What can run a statement: the pool, or a transaction. */
export type Queryable = {
  rows<R>(statement: Statement): Promise<R[]>;
  /** The only row, or undefined. */
  row<R>(statement: Statement): Promise<R | undefined>;
  /** Runs it and says how many rows it touched. */
  run(statement: Statement): Promise<number>;
};

declare const inTransaction: unique symbol;
/** Statements on this one commit or roll back together. */
export type Tx = Queryable & {
  readonly [inTransaction]: true;
  /** Tells every node after the commit, soon, together with what others tell: see announcer.ts. */
  announce(topic: string, key: string): void;
};

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

  const direct = queryable((statement) => pool.query({ ...statement }));
  const announcer = new Announcer((payloads) =>
    // Need not be on disk: after a crash of the server nodes look at everything anew.
    direct.run(sql`
      select set_config('synchronous_commit', 'off', true), pg_notify('semana_changes', payload)
      from unnest(${payloads}::text[]) as payload`),
  );
  return {
    ...direct,
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
        const announced: Array<[topic: string, key: string]> = [];
        const tx = {
          ...queryable((statement) => client.query({ ...statement })),
          announce: (...change: [string, string]) => void announced.push(change),
        };
        const result = await work(tx as Queryable as Tx);
        await client.query('commit').catch(rethrow);
        for (const change of announced) announcer.announce(...change);
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
    async close() {
      await announcer.flush();
      await pool.end();
    },
  };
}

function queryable(query: (statement: Statement) => Promise<pg.QueryResult>): Queryable {
  return {
    rows: async <R>(statement: Statement) => (await query(statement).catch(rethrow)).rows as R[],
    row: async <R>(statement: Statement) => (await query(statement).catch(rethrow)).rows[0] as R | undefined,
    run: async (statement: Statement) => (await query(statement).catch(rethrow)).rowCount ?? 0,
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
