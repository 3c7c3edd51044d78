import type { StatementResult } from './batch-query.ts';
import { BatchRow, buildBatch, type OfCustomer } from './batchable.ts';
import type { Statement } from './sql.ts';

/** A statement, or one customer's part of one. */
export type QueuedStatement = Statement | BatchRow;

type Waiter = { resolve: (answer: StatementResult) => void; reject: (error: unknown) => void };
type RowPart = { readonly customerId: string; readonly row: OfCustomer; readonly waiter: Waiter | undefined };
type Waiting =
  | { readonly statement: Statement; readonly waiter: Waiter | undefined }
  | { readonly batch: BatchRow; readonly parts: RowPart[] };

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
    const part = { customerId: row.customerId, row, waiter };
    const parts = this.#partsToJoin(asked, part.customerId);
    if (parts) parts.push(part);
    else this.#waiting.push({ batch: asked, parts: [part] });
  }

  /** Parts of the same statement, unless merging would move one ahead of an earlier statement of the same customer. */
  #partsToJoin({ build }: BatchRow, customerId: string): RowPart[] | undefined {
    for (const waiting of this.#waiting.toReversed()) {
      if (!('batch' in waiting) || waiting.parts.some((part) => part.customerId === customerId)) return;
      if (waiting.batch.build === build) return waiting.parts;
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
