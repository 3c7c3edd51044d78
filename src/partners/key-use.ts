import type { Deps } from '#module';
import { updateLastUsed } from './store.ts';

const WRITE_INTERVAL_MS = 2_000;

/** Collects which keys are used and writes `last_used_at` every two seconds, in one statement. */
export class KeyUse {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #usedKeyIds = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS);
    this.#timer.unref();
  }

  record(keyId: string): void {
    this.#usedKeyIds.add(keyId);
  }

  async write(): Promise<void> {
    if (this.#usedKeyIds.size === 0) return;
    const { db, clock, log } = this.#deps;
    const at = clock.now();
    const ids = [...this.#usedKeyIds];
    this.#usedKeyIds.clear();
    try {
      await updateLastUsed(db, ids, at);
    } catch (error) {
      for (const id of ids) this.#usedKeyIds.add(id);
      log.warn({ err: error }, 'could not write the last use of keys; will retry');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
