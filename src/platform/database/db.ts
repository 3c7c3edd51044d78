import pg from 'pg';
import { Announcer } from '../nodes/announcer.ts';
import type { Vault } from '../privacy/vault.ts';
import { type Answer, queryBatch } from './batch-query.ts';
import { answerAll, Batches } from './batches.ts';
import { DatabaseAway, isAway, LIKELY_ALL, leavesConnectionUnusable, reasonOf } from './database-away.ts';
import { DatabaseClient } from './database-client.ts';
import { Pipeline, type QueuedStatement, statementOf } from './pipeline.ts';
import { type Statement, sql } from './sql.ts';

export { DatabaseAway, isAway, isLockTimeout, isPartlyAway } from './database-away.ts';
export { Sql, type Statement, sql } from './sql.ts';

// int8 as number (ours stay below 2^53), date as the 'YYYY-MM-DD' it is.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** What can run a statement: the pool, or a transaction. */
export type Queryable = {
  rows<R>(statement: QueuedStatement): Promise<R[]>;
  /** The only row, or undefined. */
  row<R>(statement: QueuedStatement): Promise<R | undefined>;
  /** Runs it and says how many rows it touched. */
  run(statement: Statement): Promise<number>;
  /** Seals and opens what this database holds on people. Stores use it, so that nobody else meets a seal. */
  readonly vault: Vault;
};

declare const inTransaction: unique symbol;
/**
 * Statements on this one commit or roll back together. Those that are asked for in one go (`Promise.all`) travel in one round trip,
 * in their order; each sees what the one before has waited for and done.
 */
export type Tx = Queryable & {
  readonly [inTransaction]: true;
  /** Goes along with the next statement that is waited for, or with the commit. If it fails, so does the transaction. */
  write(statement: QueuedStatement): void;
  /** Done when the work is, right before the commit: for what is written once for all that the work has gathered. */
  beforeCommit(write: () => void): void;
  /** Done once it is committed, and not otherwise: for metrics and logs, which would count twice what is tried again. */
  afterCommit(act: () => void): void;
  /** Tells every node after the commit, soon, together with what others tell: see announcer.ts. */
  announce(topic: string, key: string): void;
};

/** Where transactions begin: the database, or one customer's line at it (customer-transaction.ts). */
export type Transactions<X extends Tx> = {
  readonly transaction: <T>(work: (tx: X) => Promise<T>) => Promise<T>;
};

export type Db = Queryable & {
  /**
   * For what is quick and may be run again, such as a read of one customer's: under load, several share a round trip and a
   * transaction, and each is run by itself if one of them fails.
   */
  readonly shared: Queryable;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Throws away the connections nobody uses: they may be stuck, and the next request gets a new one. */
  dropIdle(): void;
  close(): Promise<void>;
};

type DbOptions = {
  url: string;
  poolSize: number;
  label: string;
  /** Left out where nothing on people is read or written: then to use it is a defect. */
  vault?: Vault;
  /** How long anybody waits for a connection and the first answer on it, and then for every further answer. */
  patienceMs?: number;
  onIdleError?: (error: Error) => void;
  onAway?: (away: DatabaseAway) => void;
};

const ANSWER_TIMEOUT_MS = 5_000;
const LONGEST_CONNECT_MS = 10_000;
/** Timers of a few different lengths are cheap, timers of all lengths are not. */
const TIMER_STEP_MS = 250;
/** They wait for the slowest of them. */
const MOST_TOGETHER = 16;

export function openDb(options: DbOptions): Db {
  const patienceMs = options.patienceMs ?? ANSWER_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: DatabaseClient,
    max: options.poolSize,
    application_name: options.label,
    connectionTimeoutMillis: Math.min(LONGEST_CONNECT_MS, patienceMs * 0.8),
    // The server gives up first. So a statement that only we give up means that the connection is stuck.
    statement_timeout: patienceMs * 0.9,
    idle_in_transaction_session_timeout: Math.max(10_000, patienceMs * 2),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener a connection that dies while idle would end the process; the pool just replaces it.
  pool.on('error', (error) => options.onIdleError?.(error));

  const away = (error: unknown): DatabaseAway => {
    const found = new DatabaseAway('The database is away.', { cause: error, reason: reasonOf(error) });
    options.onAway?.(found);
    return found;
  };

  /** One use of a connection. One that may be stuck or dead is thrown away, never handed to somebody else. */
  async function open(askedAtMs = performance.now()) {
    let isFirst = true;
    let broken: Error | undefined;
    // Whatever keeps us from getting one, a changed password too, is no defect of the request.
    const client = await pool.connect().catch((error: unknown) => {
      throw away(error);
    });
    return {
      isBroken: () => broken !== undefined,
      async send(statements: readonly Statement[]): Promise<Answer[]> {
        // What became of a statement that got stuck is not known: nothing may follow it, least of all a commit.
        if (broken) throw away(broken);
        const waitedMs = isFirst ? performance.now() - askedAtMs : 0;
        isFirst = false;
        const steps = Math.floor((patienceMs - waitedMs) / TIMER_STEP_MS);
        try {
          return await queryBatch(client, statements, Math.max(1, steps) * TIMER_STEP_MS);
        } catch (error) {
          if (leavesConnectionUnusable(error)) broken ??= error as Error;
          throw isAway(error) ? away(error) : error;
        }
      },
      release() {
        client.release(broken);
        if (broken && LIKELY_ALL.has(reasonOf(broken))) dropIdle();
      },
    };
  }

  const dropIdle = () => {
    for (let left = pool.idleCount; left > 0; left--) pool.connect((_error, client) => client?.release(true));
  };

  const query = async (asked: readonly QueuedStatement[], askedAtMs?: number): Promise<Answer[]> => {
    const connection = await open(askedAtMs);
    try {
      return await connection.send(asked.map(statementOf));
    } finally {
      connection.release();
    }
  };

  const queryOnce = async (asked: QueuedStatement) => (await query([asked]))[0]!;

  // Half of the connections at most: transactions find one whatever is read.
  const together = new Batches<{ asked: QueuedStatement; askedAtMs: number }, Answer>(
    { atOnce: Math.ceil(options.poolSize / 2), most: MOST_TOGETHER },
    answerAll(
      (items) =>
        query(
          items.map(({ asked }) => asked),
          items[0]!.askedAtMs,
        ),
      ({ asked }) => queryOnce(asked),
    ),
  );
  const shareTrip = (asked: QueuedStatement) => together.add({ asked, askedAtMs: performance.now() });

  const direct = queryable(queryOnce, options.vault);
  const announcer = new Announcer((payloads) =>
    // Need not be on disk: after a crash of the server nodes look at everything anew.
    direct.run(sql`
      select set_config('synchronous_commit', 'off', true), pg_notify('semana_changes', payload)
      from unnest(${payloads}::text[]) as payload`),
  );
  return {
    ...direct,
    shared: queryable(shareTrip, options.vault),
    async transaction(work) {
      const connection = await open();
      const pipeline = new Pipeline((statements) => connection.send(statements));
      try {
        pipeline.write(BEGIN);
        const last: Array<() => void> = [];
        const committed: Array<() => void> = [];
        const tx = {
          ...queryable((statement) => pipeline.ask(statement), options.vault),
          write: (statement: QueuedStatement) => pipeline.write(statement),
          beforeCommit: (write: () => void) => void last.push(write),
          afterCommit: (act: () => void) => void committed.push(act),
          announce: (topic: string, key: string) => void committed.push(() => announcer.announce(topic, key)),
        };
        const result = await work(tx as Queryable as Tx);
        for (const write of last) write();
        await pipeline.ask(COMMIT);
        for (const act of committed) act();
        return result;
      } catch (error) {
        await pipeline.end();
        if (pipeline.isBegun && !connection.isBroken())
          await connection.send([ROLLBACK]).catch(() => undefined); // then it is broken
        throw error;
      } finally {
        await pipeline.end();
        connection.release();
      }
    },
    dropIdle,
    async close() {
      await announcer.flush();
      await pool.end();
    },
  };
}

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

function queryable(
  query: (statement: QueuedStatement) => Promise<Answer>,
  vault: Vault | undefined,
): Queryable {
  return {
    vault: vault ?? NO_VAULT,
    rows: async <R>(statement: QueuedStatement) => (await query(statement)).rows as R[],
    row: async <R>(statement: QueuedStatement) => (await query(statement)).rows[0] as R | undefined,
    run: async (statement: Statement) => (await query(statement)).rowCount,
  };
}

const NO_VAULT = new Proxy({} as Vault, {
  get() {
    throw new Error('This connection was opened without the keys for personal data.');
  },
});
