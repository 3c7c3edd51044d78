import { readCoreWaitMs } from './cpu.ts';

const CHECK_INTERVAL_MS = 500;

type Clocks = { nowMs(): number; coreWaitMs(): number };

/**
 * Creates a watchdog that reports a hang after `timeoutMs` without progress. Time in which the process waits for a core is not counted, so that
 * a busy machine fails no test.
 */
export function createWatchdog(timeoutMs: number, { nowMs, coreWaitMs }: Clocks) {
  let lastProgressMs = nowMs();
  let coreWaitMsAtProgress = coreWaitMs();
  return {
    noteProgress() {
      lastProgressMs = nowMs();
      coreWaitMsAtProgress = coreWaitMs();
    },
    isHanging: () => nowMs() - lastProgressMs - (coreWaitMs() - coreWaitMsAtProgress) >= timeoutMs,
  };
}

/** Calls `onHang` once if the process makes no progress. */
export function watchProcess(pid: number, timeoutMs: number, onHang: () => void) {
  const watchdog = createWatchdog(timeoutMs, {
    nowMs: () => performance.now(),
    coreWaitMs: () => readCoreWaitMs(pid),
  });
  const timer = setInterval(() => {
    if (!watchdog.isHanging()) return;
    clearInterval(timer);
    onHang();
  }, CHECK_INTERVAL_MS);
  return { noteProgress: watchdog.noteProgress, stop: () => clearInterval(timer) };
}
