import { MINUTE_MS } from '#core/values/duration.ts';
import type { Log } from '../observability/log.ts';

const INTERVAL_MS = 10 * MINUTE_MS;

/** Deletes expired rows periodically. It does not matter when or on which node, so every node does it, with jitter. */
export function startHousekeeping(log: Log, tasks: Array<() => Promise<void>>) {
  const run = async (): Promise<void> => {
    for (const task of tasks) {
      await task().catch((error: unknown) =>
        log.warn({ err: error }, 'housekeeping failed and will be retried'),
      );
    }
  };
  const timer = setInterval(() => void run(), INTERVAL_MS * (0.9 + Math.random() * 0.2));
  timer.unref();
  return { run, stop: () => clearInterval(timer) };
}
