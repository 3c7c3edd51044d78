/** What a bench has started and not ended yet, in order of start. */
const running = new Set<() => Promise<void>>();

/** Returns a function that runs `end` once: called by the bench at its end, or when a signal stops the bench. */
export function endedOnSignal(end: () => Promise<void>): () => Promise<void> {
  let ending: Promise<void> | undefined;
  const endOnce = () => {
    ending ??= end().finally(() => running.delete(endOnce));
    return ending;
  };
  running.add(endOnce);
  return endOnce;
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** From now on a signal ends what is running, last started first, and then the process. */
export function endOnSignals(): void {
  let isEnding = false;
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      // The bench's own work fails now; that must not end the process before everything else has ended.
      process.on('uncaughtException', () => undefined);
      void endAll().then(() => process.exit(code));
    });
  }
}

async function endAll(): Promise<void> {
  for (const end of [...running].reverse()) await end().catch(() => undefined);
}
