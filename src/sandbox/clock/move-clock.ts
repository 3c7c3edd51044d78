import type { Log } from '#platform/observability/log.ts';
import type { SandboxClock } from './sandbox-clock.ts';

/** One move is not to keep its caller waiting for longer. */
const LONGEST_MS = 25_000;

/** By so many milliseconds, or to an instant. Of several who advance at the same time all count. */
export type MoveClock = (by: { ms: number } | { to: Date }) => Promise<void>;

/**
 * Moves the clock, and on the way stops wherever a debit needs something: it is asked for days before, tried at its hours, and tried
 * again days later. A jump over all of that would leave nothing of it. Without such a thing on the way it is one move.
 */
export const clockMover =
  (parts: {
    clock: SandboxClock;
    debits: { nextMoment(now: Date): Promise<Date | null>; run(): Promise<void> };
    /** The payer's bank does what is due by then. */
    tryDebits(): Promise<number>;
    log: Log;
  }): MoveClock =>
  async (by) => {
    const { clock, debits, tryDebits, log } = parts;
    const act = async () => {
      await tryDebits();
      await debits.run();
    };
    let leftMs = 'ms' in by ? by.ms : by.to.getTime() - clock.now().getTime();
    const advance = async (ms: number) => {
      leftMs -= ms;
      await clock.advance(ms);
    };
    const finish = () => ('ms' in by ? advance(leftMs) : clock.moveTo(by.to));
    const untilMs = performance.now() + LONGEST_MS;
    try {
      // What is due already says when the next thing is.
      await act();
      for (;;) {
        const now = clock.now();
        const next = await debits.nextMoment(now);
        if (!next || performance.now() > untilMs) break;
        const wayMs = next.getTime() - now.getTime();
        if (wayMs >= leftMs) break;
        await advance(wayMs);
        await act();
      }
      await finish();
      await act();
    } catch (error) {
      // The simulator may be told to fail: jobs do the rest.
      log.warn({ err: error }, 'debits are put off');
      await finish();
    }
  };
