import type { Deps } from '#module';
import { markUsed } from './store.ts';

const WRITE_EVERY_MS = 2_000;

/** Collects which keys are used and writes `last_used_at` every two seconds, in one statement. */
export class KeyUse {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #usedSince = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  note(keyId: string): void {
    this.#usedSince.add(keyId);
  }

  async write(): Promise<void> {
    if (this.#usedSince.size === 0) return;
    const { db, clock, log } = this.#deps;
    const at = clock.now();
    const ids = [...this.#usedSince];
    this.#usedSince.clear();
    try {
      await markUsed(db, ids, at);
    } catch (error) {
      for (const id of ids) this.#usedSince.add(id);
      log.warn({ err: error }, 'last use of keys could not be written yet');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
