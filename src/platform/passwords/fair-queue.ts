/** The key that called and its address: turns are taken by both. */
export type Caller = { keyId: string; address: string };

/** Releases the place. */
export type Leave = () => void;

type Waiter = { caller: Caller; timer: NodeJS.Timeout; resolve: (leave: Leave | undefined) => void };
type CallerQueue = Set<Waiter>;

/**
 * A bounded, fair queue with a few places: keys take turns, and so do the addresses of a key. A flood waits behind itself. It is
 * bounded in number and in time; when it is full, the last of the longest line is refused, so that a flood keeps nobody else out.
 */
export class FairQueue {
  readonly #options: { places: number; mostWaiting: number; mostWaitingMs: number };
  /** By key, then by address; the next one is first in both. */
  readonly #lines = new Map<string, Map<string, CallerQueue>>();
  #inside = 0;
  #waiting = 0;

  constructor(options: { places: number; mostWaiting: number; mostWaitingMs: number }) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Returns how to leave again; undefined when the queue is full, or did not move in time. */
  enter(caller: Caller): Promise<Leave | undefined> {
    if (this.#inside < this.#options.places) {
      this.#inside++;
      return Promise.resolve(this.#leave);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#dismiss(waiter), this.#options.mostWaitingMs);
      const waiter: Waiter = { caller, timer, resolve };
      this.#lineOf(caller).add(waiter);
      this.#waiting++;
      if (this.#waiting > this.#options.mostWaiting) this.#dismiss(this.#lastOfTheLongest());
    });
  }

  /** The place passes to the next in turn, so that no newcomer can overtake. */
  readonly #leave: Leave = () => {
    const next = this.#next();
    if (!next) {
      this.#inside--;
      return;
    }
    this.#remove(next);
    next.resolve(this.#leave);
  };

  #lineOf({ keyId, address }: Caller): CallerQueue {
    const ofKey = this.#lines.get(keyId) ?? new Map<string, CallerQueue>();
    const line = ofKey.get(address) ?? new Set<Waiter>();
    this.#lines.set(keyId, ofKey.set(address, line));
    return line;
  }

  /** Its key and its address move to the end. */
  #next(): Waiter | undefined {
    const [ofKey] = this.#lines;
    if (!ofKey) return undefined;
    const [keyId, lines] = ofKey;
    const [address, line] = lines.entries().next().value!;
    this.#lines.delete(keyId);
    this.#lines.set(keyId, lines);
    lines.delete(address);
    lines.set(address, line);
    return line.values().next().value;
  }

  #lastOfTheLongest(): Waiter {
    const sizeOf = (lines: Map<string, CallerQueue>) =>
      lines.values().reduce((sum, line) => sum + line.size, 0);
    const lines = [...this.#lines.values()].reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
    const line = [...lines.values()].reduce((a, b) => (b.size > a.size ? b : a));
    return [...line].at(-1)!;
  }

  #dismiss(waiter: Waiter): void {
    this.#remove(waiter);
    waiter.resolve(undefined);
  }

  #remove(waiter: Waiter): void {
    const { keyId, address } = waiter.caller;
    clearTimeout(waiter.timer);
    const lines = this.#lines.get(keyId)!;
    const line = lines.get(address)!;
    line.delete(waiter);
    this.#waiting--;
    if (line.size === 0) lines.delete(address);
    if (lines.size === 0) this.#lines.delete(keyId);
  }
}
