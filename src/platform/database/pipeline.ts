import type { StatementResult } from './batch-query.ts';
import { BatchRow, buildBatch, getBatchKey, type KeyedRow, type Statement } from './sql.ts';

export type QueuedStatement = Statement | BatchRow;

/** The caller who awaits the result of a statement. A queued write has none. */
type Waiter = { resolve: (result: StatementResult) => void; reject: (error: unknown) => void };
type QueuedRow = {
  readonly key: string;
  readonly row: KeyedRow;
  readonly waiter: Waiter | undefined;
};
type QueuedBatch = {
  readonly firstRow: BatchRow;
  readonly rows: QueuedRow[];
  readonly keys: Set<string>;
};
type QueuedEntry = { readonly statement: Statement; readonly waiter: Waiter | undefined } | QueuedBatch;

/** Sends statements together that are issued before a result is awaited, and merges rows of a batchable statement. */
export class Pipeline {
  readonly #send: (statements: readonly Statement[]) => Promise<StatementResult[]>;
  #entries: QueuedEntry[] = [];
  #currentFlush: Promise<void> | undefined;
  #isScheduled = false;
  #isCommitting = false;
  #failure: { error: unknown } | undefined;
  hasSentStatements = false;

  constructor(send: (statements: readonly Statement[]) => Promise<StatementResult[]>) {
    this.#send = send;
  }

  queueWrite(statement: QueuedStatement): void {
    this.#add(statement);
  }

  query(statement: QueuedStatement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#add(statement, { resolve, reject });
      this.#schedule();
    });
  }

  /** Sends the last statement. A later write throws, because its caller must have omitted an await. */
  commit(statement: Statement): Promise<StatementResult> {
    const commitResult = this.query(statement);
    this.#isCommitting = true;
    return commitResult;
  }

  /** Rejects all statements that are not sent yet, and waits for those that are being sent. */
  async end(): Promise<void> {
    this.#failure ??= { error: new Error('The transaction has ended.') };
    await this.#currentFlush;
  }

  #add(statement: QueuedStatement, waiter?: Waiter): void {
    if (this.#isCommitting) throw new Error('A statement was issued after the commit of its transaction.');
    if (statement instanceof BatchRow) this.#addRow(statement, waiter);
    else this.#entries.push({ statement, waiter });
  }

  #addRow(batchRow: BatchRow, waiter: Waiter | undefined): void {
    const { row } = batchRow;
    const key = getBatchKey(row);
    const queuedRow = { key, row, waiter };
    const existingBatch = this.#findBatchToJoin(batchRow, key);
    if (existingBatch) {
      existingBatch.rows.push(queuedRow);
      existingBatch.keys.add(key);
    } else this.#entries.push({ firstRow: batchRow, rows: [queuedRow], keys: new Set([key]) });
  }

  /** Finds a batch of the same statement, unless merging would move the row ahead of an earlier statement with the same key. */
  #findBatchToJoin({ build }: BatchRow, key: string): QueuedBatch | undefined {
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      const entry = this.#entries[i]!;
      if (!('rows' in entry) || entry.keys.has(key)) return;
      if (entry.firstRow.build === build) return entry;
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#currentFlush) return;
    this.#isScheduled = true;
    // Runs after all ready tasks, which may issue more statements.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#currentFlush = this.#flush().finally(() => {
        this.#currentFlush = undefined;
        if (this.#entries.some(isAwaited)) this.#schedule();
      });
    });
  }

  async #flush(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    try {
      if (this.#failure) throw this.#failure.error;
      this.hasSentStatements = true;
      const results = await this.#send(entries.map(toSqlStatement));
      for (const [i, entry] of entries.entries()) resolveEntry(entry, results[i]!);
    } catch (error) {
      this.#failure ??= { error };
      for (const waiter of entries.flatMap(listWaiters)) waiter?.reject(error);
    }
  }
}

export const toSingleStatement = (statement: QueuedStatement): Statement =>
  statement instanceof BatchRow ? buildBatch(statement, [statement.row]) : statement;

const toSqlStatement = (entry: QueuedEntry): Statement =>
  'rows' in entry
    ? buildBatch(
        entry.firstRow,
        entry.rows.map(({ row }) => row),
      )
    : entry.statement;

const listWaiters = (entry: QueuedEntry): ReadonlyArray<Waiter | undefined> =>
  'rows' in entry ? entry.rows.map(({ waiter }) => waiter) : [entry.waiter];

const isAwaited = (entry: QueuedEntry): boolean => listWaiters(entry).some((waiter) => waiter !== undefined);

function resolveEntry(entry: QueuedEntry, result: StatementResult): void {
  if ('rows' in entry) {
    const rowsByKey = Map.groupBy(
      result.rows as Array<{ customer_id: string; batch_key?: string }>,
      (row) => row.batch_key ?? row.customer_id,
    );
    for (const { key, waiter } of entry.rows) {
      const rows = rowsByKey.get(key) ?? [];
      waiter?.resolve({ rows, rowCount: rows.length });
    }
  } else entry.waiter?.resolve(result);
}
