import { MINUTE_MS } from '#core/duration.ts';
import type { Log } from '../observability/log.ts';

const EVERY_MS = 10 * MINUTE_MS;

/** Purges expired rows periodically. Nothing depends on when or by which node, so every node does it, with jitter. */
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
