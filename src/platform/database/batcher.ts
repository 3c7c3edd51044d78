import { AFFECTS_ALL_CONNECTIONS, DatabaseUnavailable, isPartialOutage } from './database-unavailable.ts';

export type BatchEntry<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

/** The number of concurrent batches and the maximum size of a batch. A cheap item may weigh less than 1. */
type BatchSize<T> = { concurrency: number; maxItems: number; weightOf?: (item: T) => number };

/**
 * Groups items into batches: items that arrive while `concurrency` batches run form the next one. There is no timer, so a single item does
 * not wait. If a batch throws, its unresolved items are rejected with the error.
 */
export class Batcher<T, R> {
  readonly #size: BatchSize<T>;
  readonly #runBatch: (batch: ReadonlyArray<BatchEntry<T, R>>) => Promise<void>;
  readonly #waitingEntries: Array<BatchEntry<T, R>> = [];
  #runningBatches = 0;

  constructor(size: BatchSize<T>, runBatch: (batch: ReadonlyArray<BatchEntry<T, R>>) => Promise<void>) {
    this.#size = size;
    this.#runBatch = runBatch;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waitingEntries.push({ item, resolve, reject });
      // Runs after all items of the same tick have arrived.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    if (this.#runningBatches >= this.#size.concurrency) return;
    this.#runningBatches += 1;
    while (this.#waitingEntries.length > 0) {
      const batch = this.#waitingEntries.splice(0, this.#getNextBatchLength());
      await this.#runBatch(batch).catch((error) => {
        // Waiting items would get the same error, after waiting again.
        const waitingEntries = error instanceof DatabaseUnavailable ? this.#waitingEntries.splice(0) : [];
        for (const { reject } of [...batch, ...waitingEntries]) reject(error);
      });
    }
    this.#runningBatches -= 1;
  }

  #getNextBatchLength(): number {
    const { maxItems, weightOf = () => 1 } = this.#size;
    let weight = 0;
    const firstExcessIndex = this.#waitingEntries.findIndex(({ item }) => {
      weight += weightOf(item);
      return weight > maxItems;
    });
    return firstExcessIndex < 0 ? this.#waitingEntries.length : Math.max(1, firstExcessIndex);
  }
}

/**
 * Creates the function that runs a batch. `runItems` returns one result per item, in order. If it throws, each item is run again, alone,
 * unless it would fail again. So an item may run twice.
 */
export const createBatchRunner =
  <T, R>(
    runItems: (items: readonly T[]) => Promise<readonly R[]>,
    runAlone = async (item: T) => (await runItems([item]))[0]!,
  ) =>
  async (batch: ReadonlyArray<BatchEntry<T, R>>): Promise<void> => {
    try {
      const results = await runItems(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
    } catch (error) {
      // The batcher then also rejects the items that wait: they would get the same error.
      if (error instanceof DatabaseUnavailable && AFFECTS_ALL_CONNECTIONS.has(error.reason)) throw error;
      const wouldFailAlone =
        batch.length === 1 || (error instanceof DatabaseUnavailable && !isPartialOutage(error));
      for (const { item, resolve, reject } of batch)
        if (wouldFailAlone) reject(error);
        else runAlone(item).then(resolve, reject);
    }
  };
