import pg from 'pg';
import type { Vault } from '../vault.ts';
import { Announcer } from './announcer.ts';
import { queryBatch, type StatementResult } from './batch-query.ts';
import { BatchRow } from './batchable.ts';
import { answerAll, Batches } from './batches.ts';
import { DatabaseAway, isAway, LIKELY_ALL, leavesConnectionUnusable, reasonOf } from './database-away.ts';
import { DatabaseClient } from './database-client.ts';
import { Pipeline, type QueuedStatement, statementOf } from './pipeline.ts';
import { type Statement, sql } from './sql.ts';

export { DatabaseAway, isAway, isLockTimeout, isPartlyAway } from './database-away.ts';
export { Sql, type Statement, sql } from './sql.ts';

// int8 as number (our values stay below 2^53), date as 'YYYY-MM-DD'.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** What can run a statement: the pool, or a transaction. */
export type Queryable = {
  rows<R>(statement: QueuedStatement): Promise<R[]>;
  /** The only row, or undefined. */
  row<R>(statement: QueuedStatement): Promise<R | undefined>;
  /** Returns the number of rows it affected. */
  run(statement: Statement): Promise<number>;
  /** Encrypts and decrypts personal data of this database. Only stores use it. */
  readonly vault: Vault;
};

declare const inTransaction: unique symbol;
/**
 * A transaction. Statements that are issued in one tick (`Promise.all`) travel in one round trip, in their order; each sees the
 * effects of those before it.
 */
export type Tx = Queryable & {
  readonly [inTransaction]: true;
  /** Sent with the next statement that is awaited, or with the commit. If it fails, the transaction fails. */
  write(statement: QueuedStatement): void;
  /** Called after the work, right before the commit: for rows that are written once for all that the work has collected. */
  beforeCommit(write: () => void): void;
  /** Called after the commit only: for metrics and logs, which would count a retried transaction twice. */
  afterCommit(act: () => void): void;
  /** Notifies every node soon after the commit, batched with other notifications: see announcer.ts. */
  announce(topic: string, key: string): void;
};

/** What begins transactions: the database, or one customer's queue (customer-transaction.ts). */
export type Transactions<X extends Tx> = {
  readonly transaction: <T>(work: (tx: X) => Promise<T>) => Promise<T>;
};

export type Db = Queryable & {
  /**
   * For quick, repeatable statements, such as a read of one customer. Under load several share a round trip and a transaction;
   * each is run alone if one of them fails.
   */
  readonly shared: Queryable;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** On Citus a statement about several customers goes to several workers: nothing is merged there. */
  mayMerge(): Promise<boolean>;
  /** Closes idle connections: they may be stuck. The next request opens a new one. */
  dropIdle(): void;
  close(): Promise<void>;
};

type DbOptions = {
  url: string;
  poolSize: number;
  label: string;
  /** Undefined where no personal data is read or written: to use it then is a bug. */
  vault?: Vault;
  /** The timeout for a connection together with its first answer, and for every further answer. */
  timeoutMs?: number;
  onIdleError?: (error: Error) => void;
  onAway?: (away: DatabaseAway) => void;
};

const ANSWER_TIMEOUT_MS = 5_000;
const LONGEST_CONNECT_MS = 10_000;
/** Timers of a few different lengths are cheap; timers of many lengths are not. */
const TIMER_STEP_MS = 250;
/** A batch waits for its slowest statement. */
const MOST_TOGETHER = 32;
/** A part of a batchable statement costs much less than a statement of its own. */
const PART_WEIGHT = 1 / 8;

export function openDb(options: DbOptions): Db {
  const timeoutMs = options.timeoutMs ?? ANSWER_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: DatabaseClient,
    max: options.poolSize,
    application_name: options.label,
    connectionTimeoutMillis: Math.min(LONGEST_CONNECT_MS, timeoutMs * 0.8),
    // The server's timeout is shorter than ours. If ours fires first, the connection is stuck.
    statement_timeout: timeoutMs * 0.9,
    idle_in_transaction_session_timeout: Math.max(10_000, timeoutMs * 2),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener an idle connection that dies would end the process. The pool replaces it.
  pool.on('error', (error) => options.onIdleError?.(error));

  const away = (error: unknown): DatabaseAway => {
    const found = new DatabaseAway('The database is away.', { cause: error, reason: reasonOf(error) });
    options.onAway?.(found);
    return found;
  };

  /** One use of a connection. A connection that may be stuck or dead is closed, never reused. */
  async function open(askedAtMs = performance.now()) {
    let isFirst = true;
    let broken: Error | undefined;
    // Whatever prevents a connection, also a changed password, is no bug of the request.
    const client = await pool.connect().catch((error: unknown) => {
      throw away(error);
    });
    return {
      isBroken: () => broken !== undefined,
      async send(statements: readonly Statement[]): Promise<StatementResult[]> {
        // The outcome of a stuck statement is unknown: nothing may follow it, least of all a commit.
        if (broken) throw away(broken);
        const waitedMs = isFirst ? performance.now() - askedAtMs : 0;
        isFirst = false;
        const steps = Math.floor((timeoutMs - waitedMs) / TIMER_STEP_MS);
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

  const queryOnce = async (asked: QueuedStatement) => {
    const connection = await open();
    try {
      return (await connection.send([statementOf(asked)]))[0]!;
    } finally {
      connection.release();
    }
  };

  let isCitus: boolean | undefined;
  const mayMerge = async () => {
    isCitus ??= (await direct.row<{ exists: boolean }>(IS_CITUS))!.exists;
    return !isCitus;
  };

  /** In one round trip. Their order does not matter, so that all parts of a batchable statement are merged. */
  const queryAll = async (
    asked: readonly QueuedStatement[],
    askedAtMs: number,
  ): Promise<StatementResult[]> => {
    const isMerged = asked.length > 1 && (await mayMerge());
    const connection = await open(askedAtMs);
    try {
      if (!isMerged) return await connection.send(asked.map(statementOf));
      const pipeline = new Pipeline((statements) => connection.send(statements));
      const answers: Array<Promise<StatementResult>> = [];
      for (const isPart of [true, false])
        for (const [i, one] of asked.entries())
          if (one instanceof BatchRow === isPart) answers[i] = pipeline.ask(one);
      return await Promise.all(answers);
    } finally {
      connection.release();
    }
  };

  // Half of the connections at most, so that transactions always find one.
  const together = new Batches<{ asked: QueuedStatement; askedAtMs: number }, StatementResult>(
    {
      atOnce: Math.ceil(options.poolSize / 2),
      most: MOST_TOGETHER,
      weigh: ({ asked }) => (asked instanceof BatchRow ? PART_WEIGHT : 1),
    },
    answerAll(
      (items) =>
        queryAll(
          items.map(({ asked }) => asked),
          items[0]!.askedAtMs,
        ),
      ({ asked }) => queryOnce(asked),
    ),
  );
  const shareTrip = (asked: QueuedStatement) => together.add({ asked, askedAtMs: performance.now() });

  const direct = queryable(queryOnce, options.vault);
  const announcer = new Announcer((payloads) =>
    // Asynchronous commit: after a crash of the server nodes reload everything anyway.
    direct.run(sql`
      select set_config('synchronous_commit', 'off', true), pg_notify('semana_changes', payload)
      from unnest(${payloads}::text[]) as payload`),
  );
  return {
    ...direct,
    shared: queryable(shareTrip, options.vault),
    mayMerge,
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
        await pipeline.commit(COMMIT);
        for (const act of committed) act();
        return result;
      } catch (error) {
        await pipeline.end();
        if (pipeline.isBegun && !connection.isBroken())
          await connection.send([ROLLBACK]).catch(() => undefined); // then the connection is broken
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

const IS_CITUS = sql`select exists (select from pg_extension where extname = 'citus')`;
const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

function queryable(
  query: (statement: QueuedStatement) => Promise<StatementResult>,
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
