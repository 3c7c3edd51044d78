import type { ChangeFeed } from './change-feed.ts';

const RETRY_DELAY_MS = 500;
/** If applying changes fails and more changes than this have arrived meanwhile, everything is loaded again. */
const MAX_RETRY_CHANGES = 50;

/** 'everything', or the notifications of the change feed, in order. */
export type Changes = 'everything' | string[];

type SyncedCacheOptions = {
  changeFeed: ChangeFeed;
  topic: string;
  /** Loads the changes from the database into memory. If it throws, it is called again with these and newer changes, or 'everything'. */
  apply: (changes: Changes) => Promise<void>;
  onFailure: (error: unknown) => void;
};

/** Applies the changes that the change feed reports. Readers of the cache must check `isCurrent()` or await `waitUntilCurrent()` first. */
export class SyncedCache {
  readonly #options: SyncedCacheOptions;
  #unappliedChanges: Changes = 'everything';
  #retryTimer: NodeJS.Timeout | undefined;
  #pendingApply: Promise<void> | undefined;

  constructor(options: SyncedCacheOptions) {
    this.#options = options;
    options.changeFeed.listen({
      topic: options.topic,
      onChange: (change) => {
        if (this.#unappliedChanges !== 'everything') this.#unappliedChanges.push(change);
        this.#applyInBackground();
      },
      onMissedChanges: () => {
        this.#unappliedChanges = 'everything';
        this.#applyInBackground();
      },
    });
  }

  isCurrent(): boolean {
    return !this.#pendingApply && !this.#hasUnappliedChanges() && this.#options.changeFeed.isUpToDate();
  }

  #hasUnappliedChanges(): boolean {
    return this.#unappliedChanges === 'everything' || this.#unappliedChanges.length > 0;
  }

  /** Throws DatabaseUnavailable if the cache does not become current soon. */
  async waitUntilCurrent(): Promise<void> {
    await this.#options.changeFeed.waitUntilUpToDate();
    while (this.#pendingApply || this.#hasUnappliedChanges()) {
      this.#pendingApply ??= this.#applyOnce();
      await this.#pendingApply;
    }
  }

  /** Applies changes without waiting for a request, because a node that is not ready gets no requests. */
  #applyInBackground(): void {
    clearTimeout(this.#retryTimer);
    this.waitUntilCurrent().catch((error: unknown) => {
      this.#options.onFailure(error);
      // While the feed is down, its reconnection triggers another attempt.
      if (!this.#options.changeFeed.isUpToDate()) return;
      clearTimeout(this.#retryTimer);
      this.#retryTimer = setTimeout(() => this.#applyInBackground(), RETRY_DELAY_MS);
      this.#retryTimer.unref();
    });
  }

  async #applyOnce(): Promise<void> {
    const changes = this.#unappliedChanges;
    this.#unappliedChanges = [];
    try {
      await this.#options.apply(changes);
    } catch (error) {
      const newerChanges = this.#unappliedChanges as Changes;
      const reloadsEverything =
        changes === 'everything' || newerChanges === 'everything' || newerChanges.length > MAX_RETRY_CHANGES;
      this.#unappliedChanges = reloadsEverything ? 'everything' : [...changes, ...newerChanges];
      throw error;
    } finally {
      this.#pendingApply = undefined;
    }
  }
}
