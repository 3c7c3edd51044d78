/** Returns a function that runs at most `maxConcurrency` tasks concurrently. Further tasks wait, in order. */
export function limitConcurrency(maxConcurrency: number): <T>(work: () => Promise<T>) => Promise<T> {
  let runningCount = 0;
  const waitingTasks: Array<() => void> = [];
  return async (work) => {
    if (runningCount < maxConcurrency) runningCount += 1;
    else await new Promise<void>((resolve) => void waitingTasks.push(resolve));
    try {
      return await work();
    } finally {
      // A waiting task takes over the place of this one, so the count stays the same.
      const resumeNext = waitingTasks.shift();
      if (resumeNext) resumeNext();
      else runningCount -= 1;
    }
  };
}

/** Waits for all promises, even if one is rejected, and then throws the first error. */
export async function waitForAllOrThrow(promises: ReadonlyArray<Promise<unknown>>): Promise<void> {
  const outcomes = await Promise.allSettled(promises);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

let urgentCount = 0;
const resumeCallbacks = new Set<() => void>();

/** Runs urgent work. Less urgent work of this process calls `waitWhileUrgent` first. */
export async function runUrgent<T>(work: () => Promise<T>): Promise<T> {
  urgentCount += 1;
  try {
    return await work();
  } finally {
    urgentCount -= 1;
    if (urgentCount === 0) for (const resume of [...resumeCallbacks]) resume();
  }
}

/** Waits until no urgent work is running, or until the timeout. */
export function waitWhileUrgent(timeoutMs: number): Promise<void> {
  if (urgentCount === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const resume = () => {
      clearTimeout(timer);
      resumeCallbacks.delete(resume);
      resolve();
    };
    const timer = setTimeout(resume, timeoutMs);
    timer.unref();
    resumeCallbacks.add(resume);
  });
}
