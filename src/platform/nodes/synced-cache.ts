import type { ChangeFeed } from './change-feed.ts';

const RETRY_MS = 500;

/** 'everything', or notifications of the change feed, in order. */
export type Changes = 'everything' | string[];

/**
 * Keeps a cache in memory equal to the database. The change feed reports changes; they are applied at once, and reads are blocked
 * until then: `current()` says whether the cache may be read now, `whenCurrent()` waits until it may.
 */
export class SyncedCache {
  readonly #changeFeed: ChangeFeed;
  readonly #apply: (changes: Changes) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #unapplied: Changes = 'everything';
  #retry: NodeJS.Timeout | undefined;
  #applying: Promise<void> | undefined;

  constructor(options: {
    changeFeed: ChangeFeed;
    topic: string;
    /** Loads the changes from the database into memory. If it throws, it is called again with the same changes. */
    apply: (changes: Changes) => Promise<void>;
    onFailure: (error: unknown) => void;
  }) {
    this.#changeFeed = options.changeFeed;
    this.#apply = options.apply;
    this.#onFailure = options.onFailure;
    const changed = (change: string | undefined) => {
      if (change === undefined) this.#unapplied = 'everything';
      else if (this.#unapplied !== 'everything') this.#unapplied.push(change);
      this.#catchUp();
    };
    options.changeFeed.listen({ topic: options.topic, hear: changed, catchUp: () => changed(undefined) });
  }

  current(): boolean {
    return this.#applying === undefined && this.#unapplied.length === 0 && this.#changeFeed.trusted();
  }

  /** Throws DatabaseAway when the cache does not become current soon. */
  async whenCurrent(): Promise<void> {
    await this.#changeFeed.whenTrusted();
    while (this.#applying !== undefined || this.#unapplied.length > 0) {
      this.#applying ??= this.#applyOnce();
      await this.#applying;
    }
  }

  /** Also without a request: a node that is not ready gets no requests that would trigger it. */
  #catchUp(): void {
    clearTimeout(this.#retry);
    this.whenCurrent().catch((error: unknown) => {
      this.#onFailure(error);
      // While the feed is down, its reconnection triggers this.
      if (!this.#changeFeed.trusted()) return;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#catchUp(), RETRY_MS);
      this.#retry.unref();
    });
  }

  async #applyOnce(): Promise<void> {
    const changes = this.#unapplied;
    this.#unapplied = [];
    try {
      await this.#apply(changes);
    } catch (error) {
      const since = this.#unapplied as Changes;
      const isAll = changes === 'everything' || since === 'everything' || since.length > 50;
      this.#unapplied = isAll ? 'everything' : [...changes, ...since];
      throw error;
    } finally {
      this.#applying = undefined;
    }
  }
}
