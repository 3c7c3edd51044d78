import pg from 'pg';
import type { Vault } from '../vault.ts';
import { queryBatch, type StatementResult } from './batch-query.ts';
import { Batcher, createBatchRunner } from './batcher.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { DatabaseClient } from './database-client.ts';
import {
  AFFECTS_ALL_CONNECTIONS,
  DatabaseUnavailable,
  findReason,
  isUnavailableError,
  leavesConnectionUnusable,
} from './database-unavailable.ts';
import { Pipeline, type QueuedStatement, toSingleStatement } from './pipeline.ts';
import { BatchRow, type Statement, sql } from './sql.ts';

export {
  DatabaseUnavailable,
  isLockTimeout,
  isPartialOutage,
  isUnavailableError,
} from './database-unavailable.ts';
export { batchable, findRefusal, pluck, refuseIf, Sql, type Statement, sql } from './sql.ts';

// The driver returns int8 as a number (our values stay below 2^53), and dates as 'YYYY-MM-DD'.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

export type Queryable = {
  rows<R>(statement: QueuedStatement): Promise<R[]>;
  row<R>(statement: QueuedStatement): Promise<R | undefined>;
  /** Returns the values of the only column. */
  values<V>(statement: QueuedStatement): Promise<V[]>;
  /** Returns the only value, which is not null, or undefined without a row. */
  value<V>(statement: QueuedStatement): Promise<V | undefined>;
  /** Returns the number of rows it affected. */
  run(statement: Statement): Promise<number>;
  /** Encrypts and decrypts the personal data of this database. Only stores use it. */
  readonly vault: Vault;
};

declare const inTransaction: unique symbol;
/** Statements issued in one tick (`Promise.all`) share a round trip and run in order. Each sees the effects of the earlier ones. */
export type Tx = Queryable & {
  readonly [inTransaction]: true;
  /** Queues a statement, which is sent with the next awaited statement or with the commit. If it fails, the transaction fails. */
  queueWrite(statement: QueuedStatement): void;
  /**
   * Registers a callback that runs right before the commit, for rows that are collected during the work and written together. It must issue
   * all statements before its first await, because they are sent with the commit. After that await, only a failing statement prevents the commit. A promise
   * that is rejected for another reason rejects `transaction` with that error, although the commit may have succeeded.
   */
  beforeCommit(callback: () => void | Promise<void>): void;
  /** Registers a callback that runs after the commit, for metrics and logs, which would otherwise count a retried transaction twice. */
  afterCommit(callback: () => void): void;
  /** Notifies all nodes soon after the commit, batched with other notifications: see change-notifier.ts. */
  notifyAfterCommit(topic: string, key: string): void;
};

/** Starts transactions. The database and the queue of a customer (customer-transaction.ts) implement this type. */
export type Transactions<X extends Tx> = {
  readonly transaction: <T>(work: (tx: X) => Promise<T>) => Promise<T>;
};

export type Db = Queryable & {
  /** Runs quick, repeatable statements. Under load several share a round trip. If one of them fails, each is run alone. */
  readonly shared: Queryable;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** False on Citus, where a statement about several customers would involve several workers. */
  canMergeStatements(): Promise<boolean>;
  /** Closes idle connections, which may be stuck. The next request opens a new one. */
  closeIdleConnections(): void;
  close(): Promise<void>;
};

type DbOptions = {
  url: string;
  poolSize: number;
  applicationName: string;
  /** The keys for personal data. Undefined if none is read or written; using the vault is then a bug. */
  vault?: Vault;
  /** Time limit for connecting and the first response together, and for each further response. */
  timeoutMs?: number;
  onIdleError?: (error: Error) => void;
  onUnavailable?: (error: DatabaseUnavailable) => void;
};

const RESPONSE_TIMEOUT_MS = 5_000;
const MAX_CONNECT_TIMEOUT_MS = 10_000;
/** Timeouts are rounded, because Node handles timers of a few lengths much more cheaply than timers of many lengths. */
const TIMER_STEP_MS = 250;
/** Limits the batch size, because a batch waits for its slowest statement. */
const MAX_BATCH_SIZE = 32;
/** A row of a batchable statement costs much less than a separate statement. */
const BATCH_ROW_WEIGHT = 1 / 8;

export function openDb(options: DbOptions): Db {
  const timeoutMs = options.timeoutMs ?? RESPONSE_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: DatabaseClient,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: Math.min(MAX_CONNECT_TIMEOUT_MS, timeoutMs * 0.8),
    // This timeout is shorter than our own, so if ours fires first, the connection is stuck.
    statement_timeout: timeoutMs * 0.9,
    idle_in_transaction_session_timeout: Math.max(10_000, timeoutMs * 2),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener, a lost idle connection would end the process. The pool replaces it.
  pool.on('error', (error) => options.onIdleError?.(error));

  const reportUnavailable = (error: unknown): DatabaseUnavailable => {
    const unavailable = new DatabaseUnavailable('The database is unavailable.', {
      cause: error,
      reason: findReason(error),
    });
    options.onUnavailable?.(unavailable);
    return unavailable;
  };

  /** Takes a connection from the pool. A connection that may be stuck or dead is closed, never reused. */
  async function openConnection(requestedAtMs = performance.now()) {
    let isFirstSend = true;
    let connectionError: Error | undefined;
    // Any error here, including a changed password, means that the database is unavailable, not that the request is wrong.
    const client = await pool.connect().catch((error: unknown) => {
      throw reportUnavailable(error);
    });
    return {
      isBroken: () => connectionError !== undefined,
      async send(statements: readonly Statement[]): Promise<StatementResult[]> {
        // The outcome of a stuck statement is unknown, so nothing may follow it, least of all a commit.
        if (connectionError) throw reportUnavailable(connectionError);
        const waitedMs = isFirstSend ? performance.now() - requestedAtMs : 0;
        isFirstSend = false;
        const timerSteps = Math.floor((timeoutMs - waitedMs) / TIMER_STEP_MS);
        try {
          return await queryBatch(client, statements, Math.max(1, timerSteps) * TIMER_STEP_MS);
        } catch (error) {
          if (leavesConnectionUnusable(error)) connectionError ??= error as Error;
          throw isUnavailableError(error) ? reportUnavailable(error) : error;
        }
      },
      release() {
        client.release(connectionError);
        if (connectionError && AFFECTS_ALL_CONNECTIONS.has(findReason(connectionError)))
          closeIdleConnections();
      },
    };
  }

  const closeIdleConnections = () => {
    for (let remaining = pool.idleCount; remaining > 0; remaining--)
      pool.connect((_error, client) => client?.release(true)); // destroys the client
  };

  const queryOnce = async (statement: QueuedStatement) => {
    const connection = await openConnection();
    try {
      const [result] = await connection.send([toSingleStatement(statement)]);
      return result!;
    } finally {
      connection.release();
    }
  };

  let isCitus: boolean | undefined;
  const canMergeStatements = async () => {
    isCitus ??= (await directQueryable.row<{ exists: boolean }>(IS_CITUS))!.exists;
    return !isCitus;
  };

  /**
   * Runs statements in one round trip. Their order does not matter, so batch rows go first, where the pipeline merges them. PostgreSQL
   * would plan a batch again for each number of rows, which often takes longer than to run it.
   */
  const queryAll = async (
    statements: readonly QueuedStatement[],
    requestedAtMs: number,
  ): Promise<StatementResult[]> => {
    const canMerge = await canMergeStatements();
    const connection = await openConnection(requestedAtMs);
    try {
      if (!canMerge) return await connection.send(statements.map(toSingleStatement));
      const pipeline = new Pipeline((statements) => connection.send(statements));
      const results: Array<Promise<StatementResult>> = [];
      const hasBatchRows = statements.some((queued) => queued instanceof BatchRow);
      if (hasBatchRows) pipeline.queueWrite(REUSE_PLANS);
      // The rows of batchable statements come first, because a statement between two rows prevents merging them.
      for (const [i, queued] of statements.entries())
        if (queued instanceof BatchRow) results[i] = pipeline.query(queued);
      if (hasBatchRows) pipeline.queueWrite(CHOOSE_PLANS);
      for (const [i, queued] of statements.entries())
        if (!(queued instanceof BatchRow)) results[i] = pipeline.query(queued);
      return await Promise.all(results);
    } finally {
      connection.release();
    }
  };

  // Shared statements use at most half of the connections, so that transactions always find one.
  const sharedBatcher = new Batcher<{ statement: QueuedStatement; requestedAtMs: number }, StatementResult>(
    {
      concurrency: Math.ceil(options.poolSize / 2),
      maxItems: MAX_BATCH_SIZE,
      weightOf: ({ statement }) => (statement instanceof BatchRow ? BATCH_ROW_WEIGHT : 1),
    },
    createBatchRunner(
      (items) =>
        queryAll(
          items.map(({ statement }) => statement),
          items[0]!.requestedAtMs,
        ),
      ({ statement }) => queryOnce(statement),
    ),
  );
  const queryShared = (statement: QueuedStatement) =>
    sharedBatcher.add({ statement, requestedAtMs: performance.now() });

  const directQueryable = toQueryable(queryOnce, options.vault);
  const changeNotifier = new ChangeNotifier((payloads) =>
    // The commit is asynchronous: if a server crash loses it, the nodes reload everything anyway.
    directQueryable.run(sql`
      select set_config('synchronous_commit', 'off', true), pg_notify('semana_changes', payload)
      from unnest(${payloads}::text[]) as payload`),
  );
  return {
    ...directQueryable,
    shared: toQueryable(queryShared, options.vault),
    canMergeStatements,
    async transaction(work) {
      const connection = await openConnection();
      const pipeline = new Pipeline((statements) => connection.send(statements));
      try {
        pipeline.queueWrite(BEGIN);
        const beforeCommitCallbacks: Array<() => void | Promise<void>> = [];
        const afterCommitCallbacks: Array<() => void> = [];
        const tx = {
          ...toQueryable((statement) => pipeline.query(statement), options.vault),
          queueWrite: (statement: QueuedStatement) => pipeline.queueWrite(statement),
          beforeCommit: (callback: () => void | Promise<void>) => void beforeCommitCallbacks.push(callback),
          afterCommit: (callback: () => void) => void afterCommitCallbacks.push(callback),
          notifyAfterCommit: (topic: string, key: string) =>
            void afterCommitCallbacks.push(() => changeNotifier.notify(topic, key)),
        };
        const result = await work(tx as Queryable as Tx);
        const callbackResults: unknown[] = [];
        // A callback may register another one.
        for (const callback of beforeCommitCallbacks) callbackResults.push(callback());
        const outcomes = await Promise.allSettled([...callbackResults, pipeline.commit(COMMIT)]);
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
        for (const callback of afterCommitCallbacks) callback();
        return result;
      } catch (error) {
        await pipeline.end();
        if (pipeline.hasSentStatements && !connection.isBroken())
          await connection.send([ROLLBACK]).catch(() => undefined); // the connection is broken, which rolls back, too
        throw error;
      } finally {
        await pipeline.end();
        connection.release();
      }
    },
    closeIdleConnections,
    async close() {
      await changeNotifier.flush();
      await pool.end();
    },
  };
}

const IS_CITUS = sql`select exists (select from pg_extension where extname = 'citus')`;
const REUSE_PLANS = sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`;
const CHOOSE_PLANS = sql`select set_config('plan_cache_mode', 'auto', true)`;
const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

function toQueryable(
  query: (statement: QueuedStatement) => Promise<StatementResult>,
  vault: Vault | undefined,
): Queryable {
  return {
    vault: vault ?? NO_VAULT,
    rows: async <R>(statement: QueuedStatement) => (await query(statement)).rows as R[],
    row: async <R>(statement: QueuedStatement) => (await query(statement)).rows[0] as R | undefined,
    values: async <V>(statement: QueuedStatement) => (await query(statement)).rows.map(toOnlyValue) as V[],
    value: async <V>(statement: QueuedStatement) =>
      (await query(statement)).rows.map(toOnlyValue)[0] as V | undefined,
    run: async (statement: Statement) => (await query(statement)).rowCount,
  };
}

const toOnlyValue = (row: unknown) => Object.values(row as object)[0];

const NO_VAULT = new Proxy({} as Vault, {
  get() {
    throw new Error('This connection was opened without the keys for personal data.');
  },
});

/** Runs the work, rolls it back and returns its result, for previews. No other transaction sees its effects. */
export async function dryRun<T, X extends Tx>(db: Transactions<X>, work: (tx: X) => Promise<T>): Promise<T> {
  const rollback = Symbol('rollback');
  let outcome: { value: T } | undefined;
  try {
    await db.transaction(async (tx) => {
      outcome = { value: await work(tx) };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return outcome!.value;
}

/** Calls `runBatch`, which deletes or updates a batch and returns its size, until no row is left. Batches keep each statement short. */
export async function runInBatches(runBatch: () => Promise<number>): Promise<void> {
  while ((await runBatch()) > 0);
}
