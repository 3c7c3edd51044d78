import { DatabaseAway, isPartlyAway, LIKELY_ALL } from './database-away.ts';

/** One of those that are worked on together, and whom to tell what became of it. */
export type BatchItem<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Does together what is asked for at the same time: what comes while `atOnce` batches are under way makes up the next. There is no
 * timer, so one alone waits for nobody, and under load batches grow. Those the work tells nothing fail with what it throws.
 */
export class Batches<T, R> {
  readonly #size: { atOnce: number; most: number };
  readonly #work: (batch: ReadonlyArray<BatchItem<T, R>>) => Promise<void>;
  readonly #waiting: Array<BatchItem<T, R>> = [];
  #running = 0;

  constructor(
    size: { atOnce: number; most: number },
    work: (batch: ReadonlyArray<BatchItem<T, R>>) => Promise<void>,
  ) {
    this.#size = size;
    this.#work = work;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // What is asked for in one go is there by then.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    if (this.#running >= this.#size.atOnce) return;
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#size.most);
      await this.#work(batch).catch((error) => {
        // Who waits behind it would meet the same, after having waited twice.
        const others = error instanceof DatabaseAway ? this.#waiting.splice(0) : [];
        for (const { reject } of [...batch, ...others]) reject(error);
      });
    }
    this.#running -= 1;
  }
}

/** Work that answers all of a batch in their order, and may be done again: where it fails for several, each is done alone. */
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
      // Who waits would meet the same.
      if (error instanceof DatabaseAway && LIKELY_ALL.has(error.reason)) throw error;
      const isOfAll = batch.length === 1 || (error instanceof DatabaseAway && !isPartlyAway(error));
      for (const { item, resolve, reject } of batch)
        if (isOfAll) reject(error);
        else workAlone(item).then(resolve, reject);
    }
  };
