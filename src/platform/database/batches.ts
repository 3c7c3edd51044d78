import { DatabaseAway, isPartlyAway, LIKELY_ALL } from './database-away.ts';

/** One item of a batch, with the promise of its caller. */
export type BatchItem<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

/** How many batches run at once, and how many items one has at most. An item that costs less than others may weigh less than 1. */
type BatchSize<T> = { atOnce: number; most: number; weigh?: (item: T) => number };

/**
 * Batches concurrent calls: items that arrive while `atOnce` batches run make up the next batch. There is no timer, so a single
 * item does not wait, and batches grow under load. Items that the work leaves unresolved reject with the error it throws.
 */
export class Batches<T, R> {
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
      // By then all items of the same tick have arrived.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    if (this.#running >= this.#size.atOnce) return;
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#countNext());
      await this.#work(batch).catch((error) => {
        // Items that wait would get the same error, after a second wait.
        const others = error instanceof DatabaseAway ? this.#waiting.splice(0) : [];
        for (const { reject } of [...batch, ...others]) reject(error);
      });
    }
    this.#running -= 1;
  }

  #countNext(): number {
    const { most, weigh = () => 1 } = this.#size;
    let weight = 0;
    const first = this.#waiting.findIndex(({ item }) => {
      weight += weigh(item);
      return weight > most;
    });
    return first < 0 ? this.#waiting.length : Math.max(1, first);
  }
}

/** For work that returns one result per item, in order, and can be repeated: where a batch fails, each item is run alone. */
export const answerAll =
  <T, R>(
    work: (items: readonly T[]) => Promise<readonly R[]>,
    workAlone = async (item: T) => (await work([item]))[0]!,
  ) =>
  async (batch: ReadonlyArray<BatchItem<T, R>>): Promise<void> => {
    try {
      const answers = await work(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
    } catch (error) {
      // Items that wait would get the same error.
      if (error instanceof DatabaseAway && LIKELY_ALL.has(error.reason)) throw error;
      const isOfAll = batch.length === 1 || (error instanceof DatabaseAway && !isPartlyAway(error));
      for (const { item, resolve, reject } of batch)
        if (isOfAll) reject(error);
        else workAlone(item).then(resolve, reject);
    }
  };
