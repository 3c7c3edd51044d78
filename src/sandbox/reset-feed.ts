import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { type Problem, unavailable } from '#platform/problem.ts';

/** A notification takes about a millisecond; by the next heartbeat it has arrived. */
const SURELY_HEARD_MS = 500;
const RESET_TIMEOUT_MS = 2_000;

/** The resets this node was notified of, whichever node made them. */
export class ResetFeed {
  readonly #onReset: Array<() => void> = [];
  #revision = 0;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #next = Promise.withResolvers<void>();

  constructor(changeFeed: ChangeFeed) {
    changeFeed.listen({
      topic: 'reset',
      hear: (revision) => this.#hear(Number(revision)),
      catchUp: () => this.#hear(this.#revision), // a reset may have been missed
    });
  }

  /** For state a node keeps outside of the database. */
  whenReset(act: () => void): void {
    this.#onReset.push(act);
  }

  /** Returns when this node's caches no longer have data from before the reset. Without a change feed no cache is used. */
  async whenHeard(revision: number): Promise<void> {
    const untilMs = performance.now() + RESET_TIMEOUT_MS;
    while (this.#revision < revision && performance.now() < untilMs) await this.#nextWithin(RESET_TIMEOUT_MS);
  }

  /**
   * A request during a reset may fail in any way, because its data is gone: it answers 503. Its error can come before the
   * change feed's notification, so that is awaited.
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
