/** The API key and IP address of a request. Both take turns. */
export type Caller = { keyId: string; ipAddress: string };

export type ReleaseSlot = () => void;

type Waiter = { caller: Caller; timer: NodeJS.Timeout; resolve: (release: ReleaseSlot | undefined) => void };
type CallerQueue = Set<Waiter>;

/** Gives turns to API keys, and within a key to its IP addresses. When the queue is full, the last waiter of the longest caller queue is refused. */
export class FairQueue {
  readonly #options: { slots: number; maxWaiting: number; maxWaitMs: number };
  /** The queues by API key, then by IP address. The first queue of the first key has the next turn. */
  readonly #queuesByKey = new Map<string, Map<string, CallerQueue>>();
  #runningCount = 0;
  #waitingCount = 0;

  constructor(options: { slots: number; maxWaiting: number; maxWaitMs: number }) {
    this.#options = options;
  }

  /** The number of callers that are waiting or have a slot. */
  get size(): number {
    return this.#runningCount + this.#waitingCount;
  }

  /** Waits for a slot and returns a function that releases it, or undefined if the queue is full or the wait timed out. */
  enter(caller: Caller): Promise<ReleaseSlot | undefined> {
    if (this.#runningCount < this.#options.slots) {
      this.#runningCount++;
      return Promise.resolve(this.#release);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#refuse(waiter), this.#options.maxWaitMs);
      const waiter: Waiter = { caller, timer, resolve };
      this.#getCallerQueue(caller).add(waiter);
      this.#waitingCount++;
      if (this.#waitingCount > this.#options.maxWaiting) this.#refuse(this.#findLastOfLongestQueue());
    });
  }

  /** Passes the slot to the next waiter, so that no new caller can overtake. */
  readonly #release: ReleaseSlot = () => {
    const nextWaiter = this.#rotateToNextWaiter();
    if (!nextWaiter) {
      this.#runningCount--;
      return;
    }
    this.#remove(nextWaiter);
    nextWaiter.resolve(this.#release);
  };

  #getCallerQueue({ keyId, ipAddress }: Caller): CallerQueue {
    const keyQueues = this.#queuesByKey.get(keyId) ?? new Map<string, CallerQueue>();
    const callerQueue = keyQueues.get(ipAddress) ?? new Set<Waiter>();
    this.#queuesByKey.set(keyId, keyQueues.set(ipAddress, callerQueue));
    return callerQueue;
  }

  /** Returns the next waiter, and moves its API key and IP address to the end. */
  #rotateToNextWaiter(): Waiter | undefined {
    const [firstEntry] = this.#queuesByKey;
    if (!firstEntry) return undefined;
    const [keyId, keyQueues] = firstEntry;
    const [ipAddress, callerQueue] = keyQueues.entries().next().value!;
    this.#queuesByKey.delete(keyId);
    this.#queuesByKey.set(keyId, keyQueues);
    keyQueues.delete(ipAddress);
    keyQueues.set(ipAddress, callerQueue);
    return callerQueue.values().next().value;
  }

  /** Finds the last waiter of the longest queue of the API key with the most waiters. */
  #findLastOfLongestQueue(): Waiter {
    const countWaiters = (queues: Map<string, CallerQueue>) =>
      queues.values().reduce((sum, callerQueue) => sum + callerQueue.size, 0);
    const busiestKeyQueues = [...this.#queuesByKey.values()].reduce((busiest, keyQueues) =>
      countWaiters(keyQueues) > countWaiters(busiest) ? keyQueues : busiest,
    );
    const longestQueue = [...busiestKeyQueues.values()].reduce((longest, callerQueue) =>
      callerQueue.size > longest.size ? callerQueue : longest,
    );
    return [...longestQueue].at(-1)!;
  }

  #refuse(waiter: Waiter): void {
    this.#remove(waiter);
    waiter.resolve(undefined);
  }

  #remove(waiter: Waiter): void {
    const { keyId, ipAddress } = waiter.caller;
    clearTimeout(waiter.timer);
    const keyQueues = this.#queuesByKey.get(keyId)!;
    const callerQueue = keyQueues.get(ipAddress)!;
    callerQueue.delete(waiter);
    this.#waitingCount--;
    if (callerQueue.size === 0) keyQueues.delete(ipAddress);
    if (keyQueues.size === 0) this.#queuesByKey.delete(keyId);
  }
}
