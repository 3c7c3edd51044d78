import type { App } from './app.ts';

/** Requests still running this long after the doors closed are cut off. */
export const LAST_REQUESTS_MS = 20_000;

/** Drains for `drainMs`, so that load balancers send no more requests, then lets running requests end. */
export async function stopApp(app: App | undefined, drainMs: number): Promise<void> {
  await app?.drain.run(drainMs);
  const impatient = new Promise<void>((resolve) => setTimeout(resolve, LAST_REQUESTS_MS).unref());
  if (app) await Promise.race([app.stop(), impatient]);
}
