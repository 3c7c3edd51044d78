import type { StatementResult } from './batch-query.ts';
import { BatchRow, buildBatch, type OfCustomer } from './batchable.ts';
import type { Statement } from './sql.ts';

/** A statement, or one customer's part of one. */
export type QueuedStatement = Statement | BatchRow;

type Waiter = { resolve: (answer: StatementResult) => void; reject: (error: unknown) => void };
type RowPart = { readonly customerId: string; readonly row: OfCustomer; readonly waiter: Waiter | undefined };
type WaitingBatch = {
  readonly batch: BatchRow;
  readonly parts: RowPart[];
  readonly customers: Set<string>;
};
type Waiting = { readonly statement: Statement; readonly waiter: Waiter | undefined } | WaitingBatch;

/**
 * Sends the statements of a transaction. Statements that are issued before any answer is awaited travel together, and parts of
 * one batchable statement are merged. After a failure nothing more is sent: PostgreSQL would refuse it.
 */
export class Pipeline {
  readonly #send: (statements: readonly Statement[]) => Promise<StatementResult[]>;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #isScheduled = false;
  #isCommitting = false;
  #failure: { error: unknown } | undefined;
  /** Something was sent. */
  isBegun = false;

  constructor(send: (statements: readonly Statement[]) => Promise<StatementResult[]>) {
    this.#send = send;
  }

  /** Sent with the next statement. */
  write(asked: QueuedStatement): void {
    this.#add(asked, undefined);
  }

  ask(asked: QueuedStatement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#add(asked, { resolve, reject });
      this.#schedule();
    });
  }

  /** The last statement: whoever writes after it has forgotten to wait for something. */
  commit(statement: Statement): Promise<StatementResult> {
    const committed = this.ask(statement);
    this.#isCommitting = true;
    return committed;
  }

  /** Nothing is sent from now on. Returns when no answer is outstanding. */
  async end(): Promise<void> {
    this.#failure ??= { error: new Error('The transaction is over.') };
    await this.#sending;
  }

  #add(asked: QueuedStatement, waiter: Waiter | undefined): void {
    if (this.#isCommitting) throw new Error('A statement was issued after the commit of its transaction.');
    if (!(asked instanceof BatchRow)) return void this.#waiting.push({ statement: asked, waiter });
    const { row } = asked;
    const { customerId } = row;
    const part = { customerId, row, waiter };
    const joined = this.#batchToJoin(asked, customerId);
    if (joined) {
      joined.parts.push(part);
      joined.customers.add(customerId);
    } else this.#waiting.push({ batch: asked, parts: [part], customers: new Set([customerId]) });
  }

  /** A batch of the same statement, unless merging would move the part ahead of an earlier statement of the same customer. */
  #batchToJoin({ build }: BatchRow, customerId: string): WaitingBatch | undefined {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const waiting = this.#waiting[i]!;
      if (!('batch' in waiting) || waiting.customers.has(customerId)) return;
      if (waiting.batch.build === build) return waiting;
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#sending) return;
    this.#isScheduled = true;
    // After all tasks that are ready have run, which may issue more statements.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#sending = this.#flush().finally(() => {
        this.#sending = undefined;
        if (this.#waiting.some(isWaitedFor)) this.#schedule();
      });
    });
  }

  async #flush(): Promise<void> {
    const sent = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#failure) throw this.#failure.error;
      this.isBegun = true;
      const answers = await this.#send(sent.map(toStatement));
      for (const [i, waiting] of sent.entries()) resolve(waiting, answers[i]!);
    } catch (error) {
      this.#failure ??= { error };
      for (const waiter of sent.flatMap(waitersOf)) waiter?.reject(error);
    }
  }
}

/** As a statement of its own, not merged with others. */
export const statementOf = (asked: QueuedStatement): Statement =>
  asked instanceof BatchRow ? buildBatch(asked, [asked.row]) : asked;

const toStatement = (waiting: Waiting): Statement =>
  'batch' in waiting
    ? buildBatch(
        waiting.batch,
        waiting.parts.map(({ row }) => row),
      )
    : waiting.statement;

const waitersOf = (waiting: Waiting): ReadonlyArray<Waiter | undefined> =>
  'batch' in waiting ? waiting.parts.map(({ waiter }) => waiter) : [waiting.waiter];

const isWaitedFor = (waiting: Waiting): boolean => waitersOf(waiting).some((waiter) => waiter !== undefined);

function resolve(waiting: Waiting, answer: StatementResult): void {
  if ('batch' in waiting) {
    const byCustomer = Map.groupBy(answer.rows as Array<{ customer_id: string }>, (row) => row.customer_id);
    for (const { customerId, waiter } of waiting.parts) {
      const rows = byCustomer.get(customerId) ?? [];
      waiter?.resolve({ rows, rowCount: rows.length });
    }
  } else waiting.waiter?.resolve(answer);
}
