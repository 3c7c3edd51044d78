let urgent = 0;
const waiting = new Set<() => void>();

/** Urgent work of this process goes before other work: less urgent work calls `untilCalm`. */
export async function urgently<T>(work: () => Promise<T>): Promise<T> {
  urgent += 1;
  try {
    return await work();
  } finally {
    urgent -= 1;
    if (urgent === 0) for (const go of [...waiting]) go();
  }
}

/** Waits until no urgent work is running, but no longer than this. */
export function untilCalm(mostMs: number): Promise<void> {
  if (urgent === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, mostMs);
    timer.unref();
    waiting.add(go);
  });
}
