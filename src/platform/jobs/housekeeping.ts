import type { Log } from '../observability/log.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Throws away, now and then, what has served its time. Nothing depends on it being done on time or by whom, so every node
 * does it, a little apart.
 */
export function startHousekeeping(log: Log, chores: Array<() => Promise<void>>) {
  const run = async (): Promise<void> => {
    for (const chore of chores) {
      await chore().catch((error: unknown) => log.warn({ err: error }, 'housekeeping is put off'));
    }
  };
  const timer = setInterval(() => void run(), EVERY_MS * (0.9 + Math.random() * 0.2));
  timer.unref();
  return { run, stop: () => clearInterval(timer) };
}

/** `purge` deletes some of what is due and says how many: no statement is long, whatever has gathered. */
export async function purgeInBatches(purge: () => Promise<number>): Promise<void> {
  while ((await purge()) > 0);
}
