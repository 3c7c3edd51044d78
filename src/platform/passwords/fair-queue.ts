/** The API key and IP address of a request. Both take turns. */
export type Caller = { keyId: string; ipAddress: string };

export type ReleaseSlot = () => void;

type Waiter = { caller: Caller; timer: NodeJS.Timeout; resolve: (release: ReleaseSlot | undefined) => void };
type CallerQueue = Set<Waiter>;

/** Gives turns to API keys, and within a key to its IP addresses. When the queue is full, the last of the longest line is refused. */
export class FairQueue {
  readonly #options: { slots: number; maxWaiting: number; maxWaitMs: number };
  /** The lines by API key, then by IP address. The first line of the first key has the next turn. */
  readonly #lines = new Map<string, Map<string, CallerQueue>>();
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
      this.#findLine(caller).add(waiter);
      this.#waitingCount++;
      if (this.#waitingCount > this.#options.maxWaiting) this.#refuse(this.#findLastOfLongestLine());
    });
  }

  /** Passes the slot to the next waiter, so that no newcomer can overtake. */
  readonly #release: ReleaseSlot = () => {
    const nextWaiter = this.#takeNext();
    if (!nextWaiter) {
      this.#runningCount--;
      return;
    }
    this.#remove(nextWaiter);
    nextWaiter.resolve(this.#release);
  };

  #findLine({ keyId, ipAddress: address }: Caller): CallerQueue {
    const keyLines = this.#lines.get(keyId) ?? new Map<string, CallerQueue>();
    const line = keyLines.get(address) ?? new Set<Waiter>();
    this.#lines.set(keyId, keyLines.set(address, line));
    return line;
  }

  /** Takes the next waiter. Its API key and IP address move to the end. */
  #takeNext(): Waiter | undefined {
    const [firstEntry] = this.#lines;
    if (!firstEntry) return undefined;
    const [keyId, lines] = firstEntry;
    const [address, line] = lines.entries().next().value!;
    this.#lines.delete(keyId);
    this.#lines.set(keyId, lines);
    lines.delete(address);
    lines.set(address, line);
    return line.values().next().value;
  }

  #findLastOfLongestLine(): Waiter {
    const countWaiters = (lines: Map<string, CallerQueue>) =>
      lines.values().reduce((sum, line) => sum + line.size, 0);
    const lines = [...this.#lines.values()].reduce((a, b) => (countWaiters(b) > countWaiters(a) ? b : a));
    const line = [...lines.values()].reduce((a, b) => (b.size > a.size ? b : a));
    return [...line].at(-1)!;
  }

  #refuse(waiter: Waiter): void {
    this.#remove(waiter);
    waiter.resolve(undefined);
  }

  #remove(waiter: Waiter): void {
    const { keyId, ipAddress: address } = waiter.caller;
    clearTimeout(waiter.timer);
    const lines = this.#lines.get(keyId)!;
    const line = lines.get(address)!;
    line.delete(waiter);
    this.#waitingCount--;
    if (line.size === 0) lines.delete(address);
    if (lines.size === 0) this.#lines.delete(keyId);
  }
}
