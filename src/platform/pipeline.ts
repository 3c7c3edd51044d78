import type { Answer, BatchedStatement } from './batch-query.ts';

type Waiting = {
  readonly statement: BatchedStatement;
  readonly answer?: { resolve: (answer: Answer) => void; reject: (error: unknown) => void };
};

/**
 * The statements of a transaction on their way to the database. Those asked for before anybody waits for an answer travel together.
 * After one has failed none is sent any more: PostgreSQL would not run it either.
 */
export class Pipeline {
  readonly #send: (statements: readonly BatchedStatement[]) => Promise<Answer[]>;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #isScheduled = false;
  #failure: { error: unknown } | undefined;
  /** Something was sent. */
  isBegun = false;

  constructor(send: (statements: readonly BatchedStatement[]) => Promise<Answer[]>) {
    this.#send = send;
  }

  /** Sent with the next that is asked for. */
  write(statement: BatchedStatement): void {
    this.#waiting.push({ statement });
  }

  ask(statement: BatchedStatement): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, answer: { resolve, reject } });
      this.#schedule();
    });
  }

  /** Nothing is sent from now on; returns when nothing is on its way any more. */
  async end(): Promise<void> {
    this.#failure ??= { error: new Error('The transaction is over.') };
    await this.#sending;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#sending) return;
    this.#isScheduled = true;
    // After all that is ready to run has run, and may have asked for more.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#sending = this.#flush().finally(() => {
        this.#sending = undefined;
        if (this.#waiting.some(({ answer }) => answer)) this.#schedule();
      });
    });
  }

  async #flush(): Promise<void> {
    const sent = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#failure) throw this.#failure.error;
      this.isBegun = true;
      const answers = await this.#send(sent.map(({ statement }) => statement));
      for (const [i, { answer }] of sent.entries()) answer?.resolve(answers[i]!);
    } catch (error) {
      this.#failure ??= { error };
      for (const { answer } of sent) answer?.reject(error);
    }
  }
}
