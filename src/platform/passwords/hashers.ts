import { availableParallelism } from 'node:os';
import { networkOf } from '#platform/http/network.ts';
import { unavailable } from '#platform/problem.ts';
import { Threads } from '#platform/threads.ts';
import { type Caller, FairQueue } from './fair-queue.ts';
import type { HashResult, HashTask } from './hash-worker.ts';
import { passwordTooCommon } from './problems.ts';
import type { Owner } from './strength.ts';

/** Some three seconds of work for one thread: later callers are told to come back. */
const MOST_WAITING = 64;
const MOST_WAITING_MS = 10_000;
const RETRY_AFTER_SECONDS = '3';

export type Hasher = {
  /** Hashes a new password of this customer; 422 when it is too easy to guess. */
  hash(password: string, owner: Owner): Promise<string>;
  /** `renewed` is a hash at today's cost, when the password is right and its hash has an older cost. */
  check(password: string, against: string): Promise<{ right: boolean; renewed: string | null }>;
};

/**
 * Hashes passwords in worker threads, one less than cores, at low priority. A flood of logins fills them and then the queue; more
 * is refused at once, so that waiting is bounded and nothing else is slowed down. Keys and addresses take turns, so a flood from
 * one of them delays others by one hash, not by all of its own.
 */
export class Hashers {
  readonly #threads: Threads<HashTask, HashResult>;
  readonly #turns: FairQueue;

  constructor(options: { threads?: number; mostWaiting?: number; mostWaitingMs?: number } = {}) {
    const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#threads = new Threads(new URL('./hash-worker.ts', import.meta.url), { most: threads });
    this.#turns = new FairQueue({
      // One more than there are threads: no thread is idle while it queries the database.
      places: threads + 1,
      mostWaiting: options.mostWaiting ?? MOST_WAITING,
      mostWaitingMs: options.mostWaitingMs ?? MOST_WAITING_MS,
    });
  }

  /** A request waits for a turn before anything is counted or looked up, so a refusal for overload uses up no attempt. */
  async inTurn<T>({ keyId, address }: Caller, work: (hasher: Hasher) => Promise<T>): Promise<T> {
    const leave = await this.#turns.enter({ keyId, address: networkOf(address) });
    if (!leave) {
      throw unavailable({
        en: 'Too many logins are under way. Try again in a moment.',
        pt: 'Há acessos demais em andamento. Tente de novo em instantes.',
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      });
    }
    try {
      return await work(this.#hasher);
    } finally {
      leave();
    }
  }

  /** Those that wait for a turn, and those that have one. */
  get underWay(): number {
    return this.#turns.inside + this.#turns.waiting;
  }

  stop(): Promise<void> {
    return this.#threads.stop();
  }

  readonly #hasher: Hasher = {
    hash: async (password, { phone, name, email }) => {
      const result = await this.#threads.run({ password, owner: { phone, name, email } });
      if ('weakness' in result) throw passwordTooCommon(result.weakness);
      return (result as { hash: string }).hash;
    },
    check: async (password, against) =>
      (await this.#threads.run({ password, against })) as { right: boolean; renewed: string | null },
  };
}
