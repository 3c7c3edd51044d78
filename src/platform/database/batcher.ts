import { AFFECTS_ALL_CONNECTIONS, DatabaseUnavailable, isPartialOutage } from './database-unavailable.ts';

export type BatchItem<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

/** The number of concurrent batches and the maximum size of a batch. A cheap item may weigh less than 1. */
type BatchSize<T> = { concurrency: number; maxItems: number; weightOf?: (item: T) => number };

/**
 * Items that arrive while `concurrency` batches run form the next batch. There is no timer, so a single item does not wait. Items that the
 * work leaves unresolved are rejected with the error that it throws.
 */
export class Batcher<T, R> {
  readonly #size: BatchSize<T>;
  readonly #work: (batch: ReadonlyArray<BatchItem<T, R>>) => Promise<void>;
  readonly #waiting: Array<BatchItem<T, R>> = [];
  #running = 0;

  constructor(size: BatchSize<T>, work: (batch: ReadonlyArray<BatchItem<T, R>>) => Promise<void>) {
    this.#size = size;
    this.#work = work;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // Runs after all items of the same tick have arrived.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    if (this.#running >= this.#size.concurrency) return;
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#countNext());
      await this.#work(batch).catch((error) => {
        // Waiting items would get the same error, after waiting again.
        const waitingItems = error instanceof DatabaseUnavailable ? this.#waiting.splice(0) : [];
        for (const { reject } of [...batch, ...waitingItems]) reject(error);
      });
    }
    this.#running -= 1;
  }

  #countNext(): number {
    const { maxItems, weightOf = () => 1 } = this.#size;
    let weight = 0;
    const first = this.#waiting.findIndex(({ item }) => {
      weight += weightOf(item);
      return weight > maxItems;
    });
    return first < 0 ? this.#waiting.length : Math.max(1, first);
  }
}

/** For repeatable work that returns one result per item, in order. If a batch fails, each item is run alone. */
export const resolveEach =
  <T, R>(
    work: (items: readonly T[]) => Promise<readonly R[]>,
    workAlone = async (item: T) => (await work([item]))[0]!,
  ) =>
  async (batch: ReadonlyArray<BatchItem<T, R>>): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
    } catch (error) {
      // Waiting items would get the same error.
      if (error instanceof DatabaseUnavailable && AFFECTS_ALL_CONNECTIONS.has(error.reason)) throw error;
      const affectsAllItems =
        batch.length === 1 || (error instanceof DatabaseUnavailable && !isPartialOutage(error));
      for (const { item, resolve, reject } of batch)
        if (affectsAllItems) reject(error);
        else workAlone(item).then(resolve, reject);
    }
  };
