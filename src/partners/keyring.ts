import { LRUCache } from 'lru-cache';
import type { Deps } from '#module';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import { defineService } from '#platform/service.ts';
import { hashSecret } from './api-key.ts';
import { type ApiKey, listUnrevokedKeys, updateLastUsed } from './store.ts';

const MAX_CACHED_SECRETS = 10_000;

/** Lets modules close a connection when the key that opened the connection becomes invalid. */
export const keyValidator = defineService<Pick<Keyring, 'isUsable'>>('key validator');

/** Caches the keys of all partners, so that invalid keys cause no queries. All nodes refuse a revoked key within a second. */
export class Keyring extends SyncedCache {
  #keysByHash = new Map<string, ApiKey>();
  #keysById = new Map<string, ApiKey>();
  /** Caches accepted keys by secret, so that the secret is not hashed again. */
  readonly #keysBySecret = new LRUCache<string, ApiKey>({ max: MAX_CACHED_SECRETS });

  constructor({ db, changeFeed, log }: Pick<Deps, 'db' | 'changeFeed' | 'log'>) {
    super({
      changeFeed,
      topic: 'keys',
      apply: async () => {
        const keys = await listUnrevokedKeys(db);
        this.#keysByHash = new Map(keys.map(({ hash, ...key }) => [hash, key]));
        this.#keysById = new Map(keys.map((key) => [key.id, key]));
        this.#keysBySecret.clear();
      },
      onFailure: (error) => log.warn({ err: error }, 'could not reload API keys; will retry'),
    });
  }

  /** Returns the key, or null if it is unknown. Returns undefined if the cache is not current; then call `find`. */
  findCached(secret: string): ApiKey | null | undefined {
    return this.isCurrent() ? this.#findBySecret(secret) : undefined;
  }

  async find(secret: string): Promise<ApiKey | null> {
    await this.waitUntilCurrent();
    return this.#findBySecret(secret);
  }

  async isUsable(id: string, now: Date): Promise<boolean> {
    await this.waitUntilCurrent();
    const key = this.#keysById.get(id);
    return key !== undefined && (key.expires_at === null || key.expires_at > now);
  }

  #findBySecret(secret: string): ApiKey | null {
    const cachedKey = this.#keysBySecret.get(secret);
    if (cachedKey) return cachedKey;
    const key = this.#keysByHash.get(hashSecret(secret).toString('hex'));
    if (!key) return null;
    this.#keysBySecret.set(secret, key);
    return key;
  }
}

const WRITE_INTERVAL_MS = 2_000;

export type KeyUseRecorder = ReturnType<typeof createKeyUseRecorder>;

/** Collects which keys are used and writes `last_used_at` every two seconds, in one statement. */
export function createKeyUseRecorder({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const usedKeyIds = new Set<string>();
  const writeLastUse = async (): Promise<void> => {
    if (usedKeyIds.size === 0) return;
    const ids = [...usedKeyIds];
    usedKeyIds.clear();
    await updateLastUsed(db, ids, clock.now()).catch((error: unknown) => {
      for (const id of ids) usedKeyIds.add(id);
      log.warn({ err: error }, 'could not write the last use of keys; will retry');
    });
  };
  const timer = setInterval(() => void writeLastUse(), WRITE_INTERVAL_MS).unref();
  return {
    record: (keyId: string) => void usedKeyIds.add(keyId),
    async stop(): Promise<void> {
      clearInterval(timer);
      await writeLastUse();
    },
  };
}
