import type { Deps } from '#module';
import { updateLastUsed } from './store.ts';

const WRITE_INTERVAL_MS = 2_000;

export type KeyUse = ReturnType<typeof createKeyUse>;

/** Collects which keys are used and writes `last_used_at` every two seconds, in one statement. */
export function createKeyUse({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const usedKeyIds = new Set<string>();
  const write = async (): Promise<void> => {
    if (usedKeyIds.size === 0) return;
    const ids = [...usedKeyIds];
    usedKeyIds.clear();
    await updateLastUsed(db, ids, clock.now()).catch((error: unknown) => {
      for (const id of ids) usedKeyIds.add(id);
      log.warn({ err: error }, 'could not write the last use of keys; will retry');
    });
  };
  const timer = setInterval(() => void write(), WRITE_INTERVAL_MS).unref();
  return {
    record: (keyId: string) => void usedKeyIds.add(keyId),
    async stop(): Promise<void> {
      clearInterval(timer);
      await write();
    },
  };
}
