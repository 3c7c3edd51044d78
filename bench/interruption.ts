/** The clean-up functions of what the bench has started, in order of start. */
const pendingCleanups = new Set<() => Promise<void>>();

/** Returns a function that runs `cleanUp` at most once: the bench calls it when it ends, and a signal handler if the bench is interrupted. */
export function registerCleanup(cleanUp: () => Promise<void>): () => Promise<void> {
  let pendingCleanup: Promise<void> | undefined;
  const cleanUpOnce = () => {
    pendingCleanup ??= cleanUp().finally(() => pendingCleanups.delete(cleanUpOnce));
    return pendingCleanup;
  };
  pendingCleanups.add(cleanUpOnce);
  return cleanUpOnce;
}

/** Exit codes, which are 128 plus the number of the signal. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Installs handlers that clean up on a signal, in reverse order of start, and then exit. */
export function cleanUpOnSignals(): void {
  let isCleaningUp = false;
  for (const [signal, code] of Object.entries(SIGNAL_EXIT_CODES)) {
    process.on(signal, () => {
      if (isCleaningUp) return;
      isCleaningUp = true;
      // Requests of the bench fail from here on. These errors must not end the process before the clean-up is complete.
      process.on('uncaughtException', () => undefined);
      void cleanUpAll().then(() => process.exit(code));
    });
  }
}

async function cleanUpAll(): Promise<void> {
  for (const cleanUp of [...pendingCleanups].reverse()) await cleanUp().catch(() => undefined);
}
