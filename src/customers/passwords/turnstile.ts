type Waiter = { resolve: (leave: Leave | undefined) => void; timer: NodeJS.Timeout };

/** Makes room for the next one. */
export type Leave = () => void;

/** Lets a few in at a time, in the order they came. The line is bounded in number and in time. */
export class Turnstile {
  readonly #options: { places: number; mostWaiting: number; mostWaitingMs: number };
  readonly #line = new Set<Waiter>();
  #inside = 0;

  constructor(options: { places: number; mostWaiting: number; mostWaitingMs: number }) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** How to leave again; undefined when the line is too long, or did not move in time. */
  enter(): Promise<Leave | undefined> {
    if (this.#inside < this.#options.places) {
      this.#inside++;
      return Promise.resolve(this.#leave);
    }
    if (this.#line.size >= this.#options.mostWaiting) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#line.delete(waiter);
        resolve(undefined);
      }, this.#options.mostWaitingMs);
      const waiter: Waiter = { resolve, timer };
      this.#line.add(waiter);
    });
  }

  /** The place goes to the first in line, so that nobody slips in between. */
  readonly #leave: Leave = () => {
    const [next] = this.#line;
    if (!next) {
      this.#inside--;
      return;
    }
    this.#line.delete(next);
    clearTimeout(next.timer);
    next.resolve(this.#leave);
  };
}
