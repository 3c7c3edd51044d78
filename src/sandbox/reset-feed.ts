import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { type Problem, unavailable } from '#platform/problem.ts';

/** A notification usually arrives within a millisecond, and at the latest with the next heartbeat. */
const NOTIFICATION_TIMEOUT_MS = 500;
const RESET_TIMEOUT_MS = 2_000;

/** Tracks the resets that this node was notified of, on whichever node they were made. */
export class ResetFeed {
  readonly #listeners: Array<() => void> = [];
  #revision = 0;
  #receivedAtMs = Number.NEGATIVE_INFINITY;
  #next = Promise.withResolvers<void>();

  constructor(changeFeed: ChangeFeed) {
    changeFeed.listen({
      topic: 'reset',
      onChange: (revision) => this.#receive(Number(revision)),
      onMissedChanges: () => this.#receive(this.#revision), // a reset may have been missed
    });
  }

  /** Registers a listener for state that a node holds outside of the database. */
  onReset(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the caches of this node contain no data from before the reset. Without a change feed no cache is used. */
  async waitForReset(revision: number): Promise<void> {
    const deadlineMs = performance.now() + RESET_TIMEOUT_MS;
    while (this.#revision < revision && performance.now() < deadlineMs)
      await this.#waitForNext(RESET_TIMEOUT_MS);
  }

  /**
   * A request during a reset may fail with any error, because its data was deleted. Its response is 503 then. The error can occur
   * before the notification of the change feed, so the notification is awaited.
   */
  async explainFailure(startedAtMs: number): Promise<Problem | undefined> {
    if (this.#receivedAtMs < startedAtMs) await this.#waitForNext(NOTIFICATION_TIMEOUT_MS);
    if (this.#receivedAtMs < startedAtMs) return undefined;
    return unavailable({
      en: 'The sandbox was reset during the request.',
      pt: 'O sandbox foi reiniciado nesse meio-tempo.',
      headers: { 'retry-after': '1' },
    });
  }

  #receive(revision: number): void {
    this.#revision = revision;
    this.#receivedAtMs = performance.now();
    for (const notify of this.#listeners) notify();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  async #waitForNext(ms: number): Promise<void> {
    await Promise.race([this.#next.promise, sleep(ms, undefined, { ref: false })]);
  }
}
