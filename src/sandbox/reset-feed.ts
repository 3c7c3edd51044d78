import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { type Problem, unavailable } from '#platform/problem.ts';

/** A change is told within a millisecond, and after a heartbeat it has surely come. */
const SURELY_HEARD_MS = 500;
const RESET_TIMEOUT_MS = 2_000;

/** The resets this node has heard of, wherever they were made. */
export class ResetFeed {
  readonly #onReset: Array<() => void> = [];
  #revision = 0;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #next = Promise.withResolvers<void>();

  constructor(changeFeed: ChangeFeed) {
    changeFeed.listen({
      topic: 'reset',
      hear: (revision) => this.#hear(Number(revision)),
      catchUp: () => this.#hear(this.#revision), // there may have been one
    });
  }

  /** For what a node keeps or does outside of the database. */
  whenReset(act: () => void): void {
    this.#onReset.push(act);
  }

  /** When it returns, this node uses nothing any more that it remembers from before. Without a change feed it uses no memory. */
  async whenHeard(revision: number): Promise<void> {
    const untilMs = performance.now() + RESET_TIMEOUT_MS;
    while (this.#revision < revision && performance.now() < untilMs) await this.#nextWithin(RESET_TIMEOUT_MS);
  }

  /**
   * A request that a reset overtook may go wrong in any way: it knew what is no longer there. What went wrong can come
   * sooner than the change feed tells.
   */
  async excuse(begunAtMs: number): Promise<Problem | undefined> {
    if (this.#heardAtMs < begunAtMs) await this.#nextWithin(SURELY_HEARD_MS);
    if (this.#heardAtMs < begunAtMs) return undefined;
    return unavailable({
      en: 'The sandbox was reset meanwhile.',
      pt: 'O sandbox foi reiniciado nesse meio-tempo.',
      headers: { 'retry-after': '1' },
    });
  }

  #hear(revision: number): void {
    this.#revision = revision;
    this.#heardAtMs = performance.now();
    for (const act of this.#onReset) act();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  async #nextWithin(ms: number): Promise<void> {
    await Promise.race([this.#next.promise, sleep(ms, undefined, { ref: false })]);
  }
}
