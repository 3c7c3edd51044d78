let urgent = 0;
const waiting = new Set<() => void>();

/** Work that goes before other work of this process: what can wait asks `untilCalm`. */
export async function urgently<T>(work: () => Promise<T>): Promise<T> {
  urgent += 1;
  try {
    return await work();
  } finally {
    urgent -= 1;
    if (urgent === 0) for (const go of [...waiting]) go();
  }
}

/** Until nothing urgent is under way, but no longer than this: what can wait does not wait for ever. */
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
