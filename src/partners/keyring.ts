import { LRUCache } from 'lru-cache';
import type { Deps } from '#module';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import { service } from '#platform/service.ts';
import { type ApiKey, hashSecret } from './api-key.ts';
import { listUsableKeys } from './store.ts';

const MOST_REMEMBERED = 10_000;

/** For modules whose connections stay open only while the key they were opened with is valid. */
export const knownKeys = service<Pick<Keyring, 'isUsable'>>('known keys');

/**
 * The keys of all partners, in memory: authentication needs no query, and neither does a flood of made-up keys. The change
 * feed keeps it current: a revoked key is refused everywhere within a second.
 */
export class Keyring extends SyncedCache {
  #byHash = new Map<string, ApiKey>();
  #byId = new Map<string, ApiKey>();
  /** Accepted keys by secret, so that the secret is not hashed again. */
  readonly #bySecret = new LRUCache<string, ApiKey>({ max: MOST_REMEMBERED });

  constructor({ db, changeFeed, log }: Pick<Deps, 'db' | 'changeFeed' | 'log'>) {
    super({
      changeFeed,
      topic: 'keys',
      apply: async () => {
        const keys = await listUsableKeys(db);
        this.#byHash = new Map(keys.map(({ hash, ...key }) => [hash, key]));
        this.#byId = new Map(keys.map((key) => [key.id, key]));
        this.#bySecret.clear();
      },
      onFailure: (error) => log.warn({ err: error }, 'keys could not be read again yet'),
    });
  }

  /** The key, null when there is none, or undefined when the cache is not current: then use `find`. */
  peek(secret: string): ApiKey | null | undefined {
    return this.current() ? this.#recall(secret) : undefined;
  }

  async find(secret: string): Promise<ApiKey | null> {
    await this.whenCurrent();
    return this.#recall(secret);
  }

  /** Whether the key with this id is still valid. */
  async isUsable(id: string, now: Date): Promise<boolean> {
    await this.whenCurrent();
    const key = this.#byId.get(id);
    return key !== undefined && (key.expiresAt === null || key.expiresAt > now);
  }

  #recall(secret: string): ApiKey | null {
    const remembered = this.#bySecret.get(secret);
    if (remembered) return remembered;
    const key = this.#byHash.get(hashSecret(secret).toString('hex'));
    if (!key) return null;
    this.#bySecret.set(secret, key);
    return key;
  }
}
