let urgentCount = 0;
const waiting = new Set<() => void>();

/** Runs urgent work. Less urgent work of this process calls `waitWhileUrgent` to let it go first. */
export async function runUrgent<T>(work: () => Promise<T>): Promise<T> {
  urgentCount += 1;
  try {
    return await work();
  } finally {
    urgentCount -= 1;
    if (urgentCount === 0) for (const resume of [...waiting]) resume();
  }
}

export function waitWhileUrgent(timeoutMs: number): Promise<void> {
  if (urgentCount === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const resume = () => {
      clearTimeout(timer);
      waiting.delete(resume);
      resolve();
    };
    const timer = setTimeout(resume, timeoutMs);
    timer.unref();
    waiting.add(resume);
  });
}
