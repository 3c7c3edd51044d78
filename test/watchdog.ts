import { millisecondsWaitedForCore } from './cpu.ts';

const CHECK_INTERVAL_MS = 500;

type Clocks = { nowMs(): number; waitedForCoreMs(): number };

/**
 * Tells whether no progress was noted for this long. Time in which the process was ready to run but had to wait for a core does not
 * count, so that a busy machine fails no test.
 */
export function createWatchdog(timeoutMs: number, { nowMs, waitedForCoreMs }: Clocks) {
  let progressMs = nowMs();
  let waitedMs = waitedForCoreMs();
  return {
    noteProgress() {
      progressMs = nowMs();
      waitedMs = waitedForCoreMs();
    },
    hangs: () => nowMs() - progressMs - (waitedForCoreMs() - waitedMs) >= timeoutMs,
  };
}

/** Calls `onHang` once if the process makes no progress. */
export function watchProcess(pid: number, timeoutMs: number, onHang: () => void) {
  const watchdog = createWatchdog(timeoutMs, {
    nowMs: () => performance.now(),
    waitedForCoreMs: () => millisecondsWaitedForCore(pid),
  });
  const timer = setInterval(() => {
    if (!watchdog.hangs()) return;
    clearInterval(timer);
    onHang();
  }, CHECK_INTERVAL_MS);
  return { noteProgress: watchdog.noteProgress, stop: () => clearInterval(timer) };
}
