import type { ChangeFeed } from './change-feed.ts';

const RETRY_MS = 500;

/** 'everything', or what the change feed said, in order. */
export type Changes = 'everything' | string[];

/**
 * Keeps something in memory equal to the database. The change feed tells it what changed; it applies that at once and lets nobody
 * read in between: `current()` says whether memory may be read now, `whenCurrent()` waits until it may.
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
    /** Reads the changes from the database into memory; when it throws, the same changes are given again. */
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

  /** Throws DatabaseAway when that cannot be known, or brought about, soon. */
  async whenCurrent(): Promise<void> {
    await this.#changeFeed.whenTrusted();
    while (this.#applying !== undefined || this.#unapplied.length > 0) {
      this.#applying ??= this.#applyOnce();
      await this.#applying;
    }
  }

  /** By itself, too: a node that is not ready gets no requests which would make it look. */
  #catchUp(): void {
    clearTimeout(this.#retry);
    this.whenCurrent().catch((error: unknown) => {
      this.#onFailure(error);
      // While the feed is away, its return is what makes us look.
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
