import type { App } from './app.ts';

/** Requests that have not ended so long after the doors closed are cut off. */
export const LAST_REQUESTS_MS = 20_000;

/** Lets load balancers turn away for `drainMs`, then running requests end. */
export async function stopApp(app: App | undefined, drainMs: number): Promise<void> {
  await app?.drain.run(drainMs);
  const impatient = new Promise<void>((resolve) => setTimeout(resolve, LAST_REQUESTS_MS).unref());
  if (app) await Promise.race([app.stop(), impatient]);
}
