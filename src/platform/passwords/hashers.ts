import { availableParallelism } from 'node:os';
import { toNetwork } from '#platform/http/ip-addresses.ts';
import { unavailable } from '#platform/problem.ts';
import { ThreadPool } from '#platform/thread-pool.ts';
import { type Caller, FairQueue } from './fair-queue.ts';
import type { HashResult, HashTask, Verification } from './hash-worker.ts';
import { passwordTooCommon } from './problems.ts';
import type { PasswordOwner } from './strength.ts';

/** One thread takes about three seconds to hash for this many callers. Further callers get 503 with Retry-After. */
const MAX_WAITING_CALLERS = 64;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '3';

export type Hasher = {
  /** Hashes a new password of this person. Throws a 422 problem if it is too easy to guess. */
  hash(password: string, owner: PasswordOwner): Promise<string>;
  verify(password: string, encodedHash: string): Promise<Verification>;
};

/** Uses one thread less than cores and a bounded queue, so that waiting is bounded and other work is not slowed down. */
export class PasswordHashers {
  readonly #threadPool: ThreadPool<HashTask, HashResult>;
  readonly #queue: FairQueue;

  constructor(options: { threads?: number; maxWaiting?: number; maxWaitMs?: number } = {}) {
    const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#threadPool = new ThreadPool(new URL('./hash-worker.ts', import.meta.url), { maxThreads: threads });
    this.#queue = new FairQueue({
      // One more than threads, so that no thread is idle while a request queries the database.
      slots: threads + 1,
      maxWaiting: options.maxWaiting ?? MAX_WAITING_CALLERS,
      maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
    });
  }

  /** Waits for a turn and calls `useHasher`, which counts the login attempt: a request that is refused for overload uses up no attempt. */
  async withHasher<T>({ keyId, ipAddress }: Caller, useHasher: (hasher: Hasher) => Promise<T>): Promise<T> {
    const release = await this.#queue.enter({ keyId, ipAddress: toNetwork(ipAddress) });
    if (!release) {
      throw unavailable({
        en: 'Too many logins are in progress. Try again in a moment.',
        pt: 'Há acessos demais em andamento. Tente de novo em instantes.',
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      });
    }
    try {
      return await useHasher(this.#hasher);
    } finally {
      release();
    }
  }

  get waitingAndRunningCount(): number {
    return this.#queue.size;
  }

  stop(): Promise<void> {
    return this.#threadPool.stop();
  }

  readonly #hasher: Hasher = {
    hash: async (password, { phone, name, email }) => {
      const hashResult = await this.#threadPool.run({ password, owner: { phone, name, email } });
      if ('weakness' in hashResult) throw passwordTooCommon(hashResult.weakness);
      return (hashResult as { hash: string }).hash;
    },
    verify: async (password, encodedHash) =>
      (await this.#threadPool.run({ password, encodedHash })) as Verification,
  };
}
